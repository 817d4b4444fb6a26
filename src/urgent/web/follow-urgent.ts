import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { currentConnection } from '../../kit/browser/connection.ts'
import { follow } from '../../live/web/follow.ts'
import { listUrgent, type UrgentNotice } from '../contract.ts'
import { noticeLead } from '../limits.ts'
import { notOver } from './not-over.ts'

const id = 'urgent'
const channel = 'urgent'

/** Without a stream by then, notices are loaded without it, from the offline copy if need be. */
const streamPatienceMs = 10_000
/** Retry after an offline copy or a failure; doubles each time. */
const firstPauseMs = 10_000
const longestPauseMs = 160_000

// A tab has one banner; these are its state.
let isFollowing = false
/** Requests for the notices so far. */
let requests = 0
/** Number of the latest request that was answered. */
let answered = 0
let timer: ReturnType<typeof setTimeout> | undefined
let pauseMs = firstPauseMs

/** Updates the banner of urgent notices as long as the tab is open; safe to call again. React does not draw the banner. */
export function followUrgent(): void {
  if (isFollowing) return
  isFollowing = true
  follow([channel], {
    changed: (event) => void (event.channel === channel && refresh()),
    missed: () => void refresh(),
    // the page may be a minute old: notices sent since then and before the stream began
    joined: () => void refresh(),
  })
  // offline there is no stream, but the service worker has an offline copy
  setTimeout(() => requests > 0 || void refresh(), navigator.onLine ? streamPatienceMs : 0)
  addEventListener('online', () => void refresh())
}

async function refresh(): Promise<void> {
  const own = ++requests
  const { answer } = await ask(callByFetch, listUrgent, {})
  // a later request was answered first: this answer is stale
  if (own < answered) return
  if (answer) answered = own
  const isCopy = currentConnection().isOffline
  // an answer of the server has only current notices
  if (answer) show(isCopy ? notOver(answer.body, Date.now()) : answer.body)
  if (answer && !isCopy) pauseMs = firstPauseMs
  if ((answer && !isCopy) || !navigator.onLine) return
  clearTimeout(timer)
  // random, so that after an outage not all visitors ask at once
  timer = setTimeout(refresh, pauseMs * (0.75 + Math.random() / 2))
  pauseMs = Math.min(pauseMs * 2, longestPauseMs)
}

function show(notices: readonly UrgentNotice[]): void {
  clearTimeout(timer)
  const before = document.getElementById(id)
  if (notices.length === 0) return before?.remove()
  const ends = Math.min(...notices.map(({ ends_at }) => Date.parse(ends_at)))
  // at least a minute: with a wrong clock the end may seem past
  if (!Number.isNaN(ends)) timer = setTimeout(refresh, Math.min(Math.max(ends - Date.now(), 60_000), 2 ** 31 - 1))
  const lines = notices.map(({ title, text, until }) => {
    const words = document.createElement('strong')
    words.textContent = noticeLead(title, document.documentElement.lang) + text
    const line = document.createElement('p')
    line.className = 'shell py-3 wrap-anywhere'
    line.append(words, ` ${until}`)
    return line
  })
  // screen readers read an alert aloud whenever it is replaced
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
