import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'

interface Drawn {
  textContent: string
  children: Drawn[]
  replaceChildren: (...lines: Drawn[]) => void
}

/** The banner, and how often it was drawn. */
let banner: Drawn | null
let timesDrawn: number
/** Answers to the requests, in their order. */
let requests: PromiseWithResolvers<Response>[]
let isOnLine: boolean
const listeners = new Map<string, () => void>()

const answer = (...texts: string[]) =>
  Response.json(
    texts.map((text) => ({ notice_id: text, kind: 'storm', title: 'Storm', text, until: 'until 22:00', ends_at: '' })),
  )

function element(): Drawn {
  const own: Drawn = {
    textContent: '',
    children: [],
    replaceChildren(...lines) {
      own.children = lines
      timesDrawn++
    },
  }
  return Object.assign(own, {
    setAttribute: () => {},
    remove: () => (banner = null),
    append(...parts: (Drawn | string)[]) {
      own.children.push(...parts.filter((part) => typeof part !== 'string'))
      own.textContent += parts.map((part) => (typeof part === 'string' ? part : part.textContent)).join('')
    },
  })
}

beforeEach(async () => {
  ;[banner, timesDrawn, requests, isOnLine] = [null, 0, [], true]
  vi.useFakeTimers()
  vi.stubGlobal('navigator', {
    get onLine() {
      return isOnLine
    },
  })
  vi.stubGlobal('document', {
    addEventListener: () => {},
    documentElement: { lang: 'en' },
    getElementById: () => banner,
    createElement: element,
    body: {
      prepend(drawn: Drawn) {
        banner = drawn
        timesDrawn++
      },
    },
  })
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => listeners.set(name, listener))
  vi.stubGlobal('fetch', (url: string) => {
    const answers = Promise.withResolvers<Response>()
    // the stream never opens
    if (url.startsWith('/api/urgent')) requests.push(answers)
    return answers.promise
  })
  vi.resetModules()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const { followUrgent } = await import('./follow-urgent.ts')
  followUrgent()
})

const refresh = async () => {
  listeners.get('online')!()
  await vi.advanceTimersByTimeAsync(0)
}
const comes = async (at: number, what: Response) => {
  requests[at]!.resolve(what)
  await vi.advanceTimersByTimeAsync(0)
}
const shown = () => banner?.children.map(({ textContent }) => textContent) ?? []

it('a request that failed offline is repeated when the network is back', async () => {
  await vi.advanceTimersByTimeAsync(10_000)
  expect(requests).toHaveLength(1)
  isOnLine = false
  requests[0]!.reject(new TypeError('offline'))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(requests).toHaveLength(1)
  isOnLine = true
  await refresh()
  await comes(1, answer('Leave the river bank.'))
  expect(shown()).toEqual(['Storm: Leave the river bank. until 22:00'])
})

it('an answer that arrives after a later one is not shown', async () => {
  await refresh()
  await refresh()
  await comes(1, answer())
  await comes(0, answer('Leave the river bank.'))
  expect(shown()).toEqual([])
})

it('a notice that is on the screen already is not read aloud again', async () => {
  await refresh()
  await comes(0, answer('Leave the river bank.'))
  await refresh()
  await comes(1, answer('Leave the river bank.'))
  expect(timesDrawn).toBe(1)
  await refresh()
  await comes(2, answer('Leave the bridge.'))
  expect(shown()).toEqual(['Storm: Leave the bridge. until 22:00'])
  expect(timesDrawn).toBe(2)
})

it('an urgent notice of an offline copy is shown until its end, and no longer', async () => {
  const { notOver } = await import('./follow-urgent.ts')
  const [storm, closed, endless] = ['2026-06-20T19:00:00Z', '2026-06-20T21:00:00Z', ''].map((ends_at) => ({ ends_at }))
  const shownAt = (time: string) => notOver([storm!, closed!, endless!], Date.parse(time))
  expect(shownAt('2026-06-20T18:59:59Z')).toEqual([storm, closed, endless])
  expect(shownAt('2026-06-20T19:00:00Z')).toEqual([closed, endless])
  expect(shownAt('2026-06-21T19:00:00Z')).toEqual([endless])
})
