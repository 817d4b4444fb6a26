import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** True after hydration; false on the server and during hydration, so that both draw the same. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
