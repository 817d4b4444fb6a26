import { useLayoutEffect } from 'react'
import { useNavigate } from 'react-router'
import { tabStorage } from '../../kit/browser/storage.ts'
import { isNoPage } from '../../site-map.ts'

/**
 * The address within the site that a clicked link leads to; null for clicks that are left to the browser: another window,
 * another site, a file, an anchor of this page, or a click that is handled already.
 */
function pathWithinSite(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)
    return null
  const link = event.target instanceof Element && event.target.closest('a')
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return null
  const href = link.getAttribute('href')
  if (href === null || href.startsWith('#')) return null
  if (link.origin !== location.origin || isNoPage(link.pathname)) return null
  return link.pathname + link.search + link.hash
}

/**
 * Follows all plain `<a href>` of the site with the router. The router's own `<Link>` would compute its path at every render and
 * draw again at every navigation, a hundred times in a list (decision 17).
 */
export function useOwnLinks(): void {
  const navigate = useNavigate()
  useLayoutEffect(() => {
    const follow = (event: MouseEvent) => {
      const path = pathWithinSite(event)
      if (path === null) return
      event.preventDefault()
      const replace = path === location.pathname + location.search + location.hash
      void storeWhilePending(path, navigate(path, { replace, viewTransition: true }))
    }
    // React listens on the document too, and earlier: a component can prevent the click first
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [navigate])
}

const pendingKey = 'rheinklang-next'

/**
 * After a release files have new names. When the file of the next screen is missing, the router reloads the current page; this
 * then opens the page that the link led to.
 */
export function goOnAfterReload(): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const path = tabStorage.get(pendingKey)
  tabStorage.set(pendingKey, null)
  if (path !== null && entry?.type === 'reload') location.replace(path)
}

async function storeWhilePending(path: string, navigation: void | Promise<void>): Promise<void> {
  try {
    sessionStorage.setItem(pendingKey, path)
    await navigation
    if (sessionStorage.getItem(pendingKey) === path) sessionStorage.removeItem(pendingKey)
  } catch {
    // storage is blocked
  }
}
