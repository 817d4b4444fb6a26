import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { currentConnection } from '../../kit/browser/connection.ts'
import { once } from '../../kit/browser/once.ts'
import { follow } from '../../live/web/follow.ts'
import { listUrgent, urgentChannel, type UrgentNotice } from '../contract.ts'
import { noticeLead } from '../limits.ts'

const id = 'urgent'

/** Without a stream by then, notices are loaded without it, from the offline copy if need be. */
const streamPatienceMs = 10_000
/** Retry after an offline copy or a failure; doubles each time. */
const firstPauseMs = 10_000
const longestPauseMs = 160_000

/** A tab has one banner. */
const banner = {
  /** Requests for the notices so far. */
  requests: 0,
  /** Number of the latest request that was answered. */
  answered: 0,
  timer: undefined as ReturnType<typeof setTimeout> | undefined,
  pauseMs: firstPauseMs,
}

/** Updates the banner of urgent notices as long as the tab is open; safe to call again. React does not draw the banner. */
export const followUrgent = once(() => {
  follow([urgentChannel], {
    changed: (event) => void (event.channel === urgentChannel && refresh()),
    missed: () => void refresh(),
    // the page may be a minute old: notices sent since then and before the stream began
    joined: () => void refresh(),
  })
  // offline there is no stream, but the service worker has an offline copy
  setTimeout(() => banner.requests > 0 || void refresh(), navigator.onLine ? streamPatienceMs : 0)
  addEventListener('online', () => void refresh())
})

async function refresh(): Promise<void> {
  const own = ++banner.requests
  const { answer } = await ask(callByFetch, listUrgent, {})
  // a later request was answered first: this answer is stale
  if (own < banner.answered) return
  if (answer) banner.answered = own
  const isCopy = currentConnection().isOffline
  // an answer of the server has only current notices
  if (answer) show(isCopy ? notOver(answer.body, Date.now()) : answer.body)
  if (answer && !isCopy) banner.pauseMs = firstPauseMs
  if ((answer && !isCopy) || !navigator.onLine) return
  clearTimeout(banner.timer)
  // random, so that after an outage not all visitors ask at once
  banner.timer = setTimeout(refresh, banner.pauseMs * (0.75 + Math.random() / 2))
  banner.pauseMs = Math.min(banner.pauseMs * 2, longestPauseMs)
}

/** Notices of an offline copy that have not ended at `now` (ms since 1970). One whose end cannot be read counts as not ended. */
export const notOver = <Each extends Pick<UrgentNotice, 'ends_at'>>(notices: readonly Each[], now: number): Each[] =>
  notices.filter(({ ends_at }) => !(Date.parse(ends_at) <= now))

function show(notices: readonly UrgentNotice[]): void {
  clearTimeout(banner.timer)
  const before = document.getElementById(id)
  if (notices.length === 0) return before?.remove()
  const ends = Math.min(...notices.map(({ ends_at }) => Date.parse(ends_at)))
  // at least a minute: with a wrong clock the end may seem past
  if (!Number.isNaN(ends))
    banner.timer = setTimeout(refresh, Math.min(Math.max(ends - Date.now(), 60_000), 2 ** 31 - 1))
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
  const section = document.createElement('section')
  section.id = id
  section.setAttribute('role', 'alert')
  section.className = 'print-hidden border-b-2 border-night bg-lantern text-on-lantern'
  section.append(...lines)
  document.body.prepend(section)
}

const textsOf = (lines: Iterable<Element>) => Array.from(lines, ({ textContent }) => textContent).join('\n')
