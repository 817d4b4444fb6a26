import { useSyncExternalStore } from 'react'

const wide = '(min-width: 64rem)'

function follow(listener: () => void) {
  const query = matchMedia(wide)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window is wide enough for a table. For screens that are drawn in the browser alone. */
export function useWide(): boolean {
  return useSyncExternalStore(
    follow,
    () => matchMedia(wide).matches,
    () => false,
  )
}
