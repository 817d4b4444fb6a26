import { useSyncExternalStore } from 'react'

const wide = '(min-width: 64rem)'

function follow(tell: () => void) {
  const query = matchMedia(wide)
  query.addEventListener('change', tell)
  return () => query.removeEventListener('change', tell)
}

/** Whether there is room for a table; for screens that are drawn in the browser alone. */
export function useWide(): boolean {
  return useSyncExternalStore(
    follow,
    () => matchMedia(wide).matches,
    () => false,
  )
}
