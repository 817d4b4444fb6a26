import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { currentConnection } from '../../kit/browser/connection.ts'
import { follow } from '../../live/web/follow.ts'
import { listUrgent, type UrgentNotice } from '../contract.ts'
import { noticeLead } from '../limits.ts'
import { notOver } from './not-over.ts'

const id = 'urgent'
const channel = 'urgent'
let isFollowing = false
/** Looks that were begun, and the latest of them that was answered. */
let looks = 0
let answered = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** A stream that has not begun by then does not come: what this phone has kept is shown, ms. */
const streamPatienceMs = 10_000
/** On a slow network the worker may give what it knew before; it is asked again after so long, ms, and later each time. */
const firstPauseMs = 10_000
const longestPauseMs = 160_000
let pauseMs = firstPauseMs

/**
 * Keeps the banner of urgent notices true as long as the tab is open, however often it is asked to. It stands outside of what
 * React draws.
 */
export function followUrgent(): void {
  if (isFollowing) return
  isFollowing = true
  follow([channel], {
    changed: (change) => void (change.channel === channel && look()),
    missed: () => void look(),
    // also what was said after the server drew this page, which may have been a minute ago, and before the stream began
    joined: () => void look(),
  })
  // without a network there is no stream; the worker knows what was said last
  setTimeout(() => looks > 0 || void look(), navigator.onLine ? streamPatienceMs : 0)
  addEventListener('online', () => void look())
}

async function look(): Promise<void> {
  const own = ++looks
  const { answer } = await ask(callByFetch, listUrgent, {})
  // a later look knows better
  if (own < answered) return
  if (answer) answered = own
  const isOld = currentConnection().isOffline
  // a server says only what is not over
  if (answer) show(isOld ? notOver(answer.body, Date.now()) : answer.body)
  if (answer && !isOld) pauseMs = firstPauseMs
  if ((answer && !isOld) || !navigator.onLine) return
  clearTimeout(timer)
  // never the same for all visitors: a server that comes back is not asked by all at once
  timer = setTimeout(look, pauseMs * (0.75 + Math.random() / 2))
  pauseMs = Math.min(pauseMs * 2, longestPauseMs)
}

function show(notices: readonly UrgentNotice[]): void {
  clearTimeout(timer)
  const before = document.getElementById(id)
  if (notices.length === 0) return before?.remove()
  const ends = Math.min(...notices.map(({ ends_at }) => Date.parse(ends_at)))
  // a phone's clock may be wrong: then it is asked again after a minute
  if (!Number.isNaN(ends)) timer = setTimeout(look, Math.min(Math.max(ends - Date.now(), 60_000), 2 ** 31 - 1))
  const lines = notices.map(({ title, text, until }) => {
    const words = document.createElement('strong')
    words.textContent = noticeLead(title, document.documentElement.lang) + text
    const line = document.createElement('p')
    line.className = 'shell py-3 wrap-anywhere'
    line.append(words, ` ${until}`)
    return line
  })
  // what is put into an alert is read aloud, also when it was there before
  if (before && textsOf(before.children) === textsOf(lines)) return
  if (before) return before.replaceChildren(...lines)
  const banner = document.createElement('section')
  banner.id = id
  banner.setAttribute('role', 'alert')
  banner.className = 'print-hidden border-b-2 border-night bg-lantern text-on-lantern'
  banner.append(...lines)
  document.body.prepend(banner)
}

const textsOf = (lines: Iterable<Element>) => Array.from(lines, ({ textContent }) => textContent).join('\n')
