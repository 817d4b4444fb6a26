import { useLocation, useNavigation } from 'react-router'

/** Whether the visitor waits for another page, or for fresh content of this one. */
export function useWaiting(): { leaving: boolean; refreshing: boolean } {
  const { pathname } = useLocation()
  const { state, location } = useNavigation()
  const leaving = state === 'loading' && location.pathname !== pathname
  return { leaving, refreshing: state !== 'idle' && !leaving }
}
