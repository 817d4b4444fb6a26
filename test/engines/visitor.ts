import { expect } from 'vitest'
import { clockOffsetMs, shifted } from '../saturday-evening.ts'
import type { Window } from './engine.ts'

/** What a person looks for on a page: an element by role and name, a field by label, or a text. */
export interface Sought {
  role?: 'button' | 'link' | 'heading' | 'field' | 'choice'
  name?: string
  /** Part of the name is enough. */
  isPart?: boolean
  /** Only inside elements of this selector. */
  within?: string
}

/**
 * The script at the start of each document: the clock of the stories, and a list of faults. The list is in
 * session storage, so that an error while a page is left is not lost.
 */
export const beginning = () => `{
  globalThis.Date = (${shifted.toString()})(Date, () => ${clockOffsetMs()})
  if (typeof document !== 'undefined') (${listen.toString()})()
}`

function listen() {
  // when a page is left, Firefox aborts its requests, and the page logs that
  let isLeft = false
  window.addEventListener('beforeunload', () => (isLeft = true))
  const add = (text: string) => {
    if (isLeft) return
    const faults = JSON.parse(sessionStorage.getItem('faults') ?? '[]') as string[]
    sessionStorage.setItem('faults', JSON.stringify([...faults, `${location.pathname} ${text}`]))
  }
  window.addEventListener('error', (event) => {
    // a picture or script that failed to load: the console names it below
    if (event instanceof ErrorEvent) add(`exception: ${event.message}`)
  })
  window.addEventListener('unhandledrejection', (event) => add(`rejection: ${String(event.reason)}`))
  document.addEventListener('securitypolicyviolation', (event) =>
    add(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
  )
  const { error } = console
  console.error = (...said: unknown[]) => {
    add(`console: ${said.map(String).join(' ')}`)
    error(...said)
  }
}

/** A person at a window, who finds visible elements by their words and uses them. */
export function visitor(window: Window, origin: string) {
  /** Retries while a page is being left. Its error contains the text on the screen. */
  const until = async (holds: () => Promise<boolean>, what: string) => {
    try {
      await expect.poll(() => holds().catch(() => false)).toBe(true)
    } catch (error) {
      const at = await window.run(() => `${location.href}: ${document.body.innerText.slice(0, 1500)}`).catch(String)
      throw new Error(`Missing: ${what} at ${at}`, { cause: error })
    }
  }
  const visitor = {
    window,
    open: async (path: string) => {
      await window.open(origin + path)
    },
    /** Waits for hydration. */
    alive: () =>
      until(
        () =>
          window.run(
            () =>
              document.querySelector('[data-account]') !== null ||
              Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')),
          ),
        'a hydrated page',
      ),
    path: () => window.run(() => location.pathname + location.search),
    isAt: (path: RegExp) => until(async () => path.test(await visitor.path()), `the address ${path}`),
    sees: (text: string) =>
      until(async () => (await window.run(textOf)).includes(squeezed(text)), `the text “${text}”`),
    seesNot: async (text: string) =>
      until(async () => !(await window.run(textOf)).includes(squeezed(text)), `no text “${text}”`),
    finds: (sought: Sought) => until(async () => (await window.run(placeOf, sought)) !== null, JSON.stringify(sought)),
    has: async (sought: Sought) => (await window.run(placeOf, sought)) !== null,
    /** Taps the middle of an element, once it does not move and nothing covers it. */
    tap: (sought: Sought) =>
      until(async () => {
        const place = await window.run(placeOf, sought)
        if (!place) return false
        await window.tap(place.x, place.y)
        // if the page moves just then, the tap hits something else; a page that is left gives no result
        return window.run(() => (globalThis as { isMissed?: boolean }).isMissed !== true).catch(() => true)
      }, JSON.stringify(sought)),
    fill: async (label: string, text: string, within?: string) => {
      await visitor.tap({ role: 'field', name: label, ...(within ? { within } : {}) })
      await window.type(text)
    },
    /** The faults on all pages of this tab so far. */
    faults: () => window.run(() => JSON.parse(sessionStorage.getItem('faults') ?? '[]') as string[]),
    sticksOut: () => window.run(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    put: (storage: Record<string, string>) =>
      window.run((entries) => {
        for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
      }, storage),
  }
  return visitor
}
export type Visitor = ReturnType<typeof visitor>

const squeezed = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Also far below, where browsers do not draw yet, so that there are no lines. */
function textOf() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const hidden = 'script, style, template, noscript, [hidden], dialog:not([open])'
  let text = ''
  while (texts.nextNode())
    if (!texts.currentNode.parentElement?.closest(hidden)) text += `${texts.currentNode.textContent} `
  return text.replaceAll(/\s+/g, ' ')
}

/** The middle of the element, scrolled into view; null if it is missing, moves, or is covered. */
async function placeOf({ role, name, isPart, within }: Sought): Promise<{ x: number; y: number } | null> {
  const selectors = {
    button: 'button, summary, [role=button], input[type=submit]',
    link: 'a[href]',
    heading: 'h1, h2, h3',
    field: 'input, textarea, select, [contenteditable]',
    choice: 'label',
  }
  const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const namesOf = (element: HTMLElement): string[] => {
    const byId = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id))
    const labels = [...((element as HTMLInputElement).labels ?? [])]
    return [
      element.getAttribute('aria-label') ?? '',
      [...byId, ...labels].map((each) => each?.innerText ?? '').join(' '),
      element.innerText,
      element.textContent ?? '',
    ].map(squeeze)
  }
  const root = within ? [...document.querySelectorAll(within)] : [document.body]
  const found = root
    .flatMap((each) => [...each.querySelectorAll<HTMLElement>(role ? selectors[role] : '*')])
    .filter((element) => {
      const names = namesOf(element)
      return (
        name === undefined || (isPart ? names.some((each) => each.includes(name)) : names.some((each) => each === name))
      )
    })
    .filter((element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible')
  for (const element of found) {
    // elements at the edge are below a bar of the page
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const before = element.getBoundingClientRect()
    // cards get their real height when they come near the screen
    for (let frame = 0; frame < 4; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    const { x, y, width, height } = element.getBoundingClientRect()
    if (before.x !== x || before.y !== y) continue
    const middle = { x: x + width / 2, y: y + height / 2 }
    const top = document.elementFromPoint(middle.x, middle.y)
    const isOver = (part: Element | null) =>
      part !== null && (element.contains(part) || part.closest('label')?.control === element)
    // the page is empty while one screen replaces another
    if (!isOver(top)) continue
    Object.assign(globalThis, { isMissed: false })
    const check = ({ target }: Event) => Object.assign(globalThis, { isMissed: !isOver(target as Element) })
    addEventListener('pointerdown', check, { capture: true, once: true })
    return middle
  }
  return null
}
