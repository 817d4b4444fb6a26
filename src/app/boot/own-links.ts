import { useLayoutEffect } from 'react'
import { useNavigate } from 'react-router'
import { isNoPage } from '../../site-map.ts'

/**
 * Where a click on a link leads within the site; null where the browser knows best: another window, another site, a file,
 * a place of this page, or a click that something else has dealt with.
 */
function wayWithin(event: MouseEvent): string | null {
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
 * Links are plain ones everywhere and followed here, once for all: as components of the router, each of the hundred of a
 * list works its path out when rendered, and is drawn anew at each step that the router takes.
 */
export function useOwnLinks(): void {
  const navigate = useNavigate()
  useLayoutEffect(() => {
    const follow = (event: MouseEvent) => {
      const way = wayWithin(event)
      if (way === null) return
      event.preventDefault()
      const replace = way === location.pathname + location.search + location.hash
      void keepWhilePending(way, navigate(way, { replace, viewTransition: true }))
    }
    // after the listeners of React, which stand on the document as well, so that a component has the first word
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [navigate])
}

const pendingKey = 'rheinklang-next'

/**
 * The router reloads the page when the file of the next screen does not come: after a release, files have other names.
 * The page that a link led to is opened then.
 */
export function goOnAfterReload(): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  try {
    const way = sessionStorage.getItem(pendingKey)
    sessionStorage.removeItem(pendingKey)
    if (way !== null && entry?.type === 'reload') location.replace(way)
  } catch {
    // storage is shut: the visitor taps once more
  }
}

async function keepWhilePending(way: string, navigation: void | Promise<void>): Promise<void> {
  try {
    sessionStorage.setItem(pendingKey, way)
    await navigation
    if (sessionStorage.getItem(pendingKey) === way) sessionStorage.removeItem(pendingKey)
  } catch {
    // storage is shut
  }
}
