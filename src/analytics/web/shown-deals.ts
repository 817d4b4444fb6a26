import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { newKey } from '../../kit/browser/new-key.ts'
import { reportShown, shownPerBeacon } from '../contract.ts'

const gatherMs = 2000

/** Id of the deal whose page this is; null for other pages, such as the form that edits the deal. */
const dealOf = (path: string): string | null =>
  /^\/deal\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/.exec(path)?.[1] ?? null

/**
 * Reports the deals that are visible: at least half of a link to a deal, in a visible tab, each once a visit. Runs until
 * the page is closed. Reports that fail are dropped: only figures depend on them.
 */
export function followShownDeals() {
  const reported = new Set<string>()
  const gathered: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const send = () => {
    clearTimeout(timer)
    timer = undefined
    const ids = gathered.splice(0, shownPerBeacon)
    if (ids.length === 0) return
    const body = { beacon_id: newKey(), deal_ids: ids }
    void ask(callByFetch, reportShown, { as: 'background', body }).catch(() => {})
    if (gathered.length > 0) send()
  }
  const visibility = new IntersectionObserver(
    (entries) => {
      if (document.visibilityState !== 'visible') return
      for (const { isIntersecting, target } of entries) {
        const id = isIntersecting ? dealOf((target as HTMLAnchorElement).pathname) : null
        if (!id) continue
        visibility.unobserve(target)
        // on its own page a deal counts as opened, not as shown
        if (reported.has(id) || dealOf(location.pathname) === id) continue
        reported.add(id)
        gathered.push(id)
        timer ??= setTimeout(send, gatherMs)
      }
    },
    { threshold: 0.5 },
  )
  const observed = new WeakSet<Element>()
  const observeLinks = () => {
    for (const link of document.querySelectorAll('main a[href^="/deal/"]')) {
      if (observed.has(link)) continue
      observed.add(link)
      visibility.observe(link)
    }
  }
  let waiting = false
  new MutationObserver(() => {
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      observeLinks()
    }, 200)
  }).observe(document.body, { childList: true, subtree: true })
  document.addEventListener('visibilitychange', send)
  observeLinks()
}
