import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** True once the page is alive; false on the server and while hydrating, so both draw the same. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
