/**
 * Tells which deals were before somebody's eyes: at least half of a link to a deal, in a tab that is looked at, once a
 * visit. Loaded by itself once a page is alive, so nothing waits for it; whatever fails here is left to fail.
 */
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { newKey } from '../../kit/browser/new-key.ts'
import { reportShown } from '../contract.ts'

const gatherMs = 2000
const atOnce = 100

const told = new Set<string>()
let gathered: string[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** The deal that a link leads to; a merchant's form for it is none. */
export const dealOf = (path: string): string | null =>
  /^\/deal\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/.exec(path)?.[1] ?? null

function send() {
  clearTimeout(timer)
  timer = undefined
  const ids = gathered.splice(0, atOnce)
  if (ids.length === 0) return
  const body = { beacon_id: newKey(), deal_ids: ids }
  void ask(callByFetch, reportShown, { as: 'background', body }).catch(() => {})
  if (gathered.length > 0) send()
}

/** Follows the page for as long as it lives. */
export function followShownDeals() {
  const eyes = new IntersectionObserver(
    (seen) => {
      if (document.visibilityState !== 'visible') return
      for (const { isIntersecting, target } of seen) {
        const id = isIntersecting ? dealOf((target as HTMLAnchorElement).pathname) : null
        if (!id) continue
        eyes.unobserve(target)
        // the page of the deal itself is an open, no impression
        if (told.has(id) || dealOf(location.pathname) === id) continue
        told.add(id)
        gathered.push(id)
        timer ??= setTimeout(send, gatherMs)
      }
    },
    { threshold: 0.5 },
  )
  const known = new WeakSet<Element>()
  const look = () => {
    for (const link of document.querySelectorAll('main a[href^="/deal/"]')) {
      if (known.has(link)) continue
      known.add(link)
      eyes.observe(link)
    }
  }
  let waiting = false
  new MutationObserver(() => {
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      look()
    }, 200)
  }).observe(document.body, { childList: true, subtree: true })
  document.addEventListener('visibilitychange', send)
  look()
}
