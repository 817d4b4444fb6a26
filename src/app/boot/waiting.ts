import { useLocation, useNavigation } from 'react-router'

/** `leaving`: the visitor waits for another page; `refreshing`: for new content of this page. */
export function useWaiting(): { leaving: boolean; refreshing: boolean } {
  const { pathname } = useLocation()
  const { state, location } = useNavigation()
  const leaving = state === 'loading' && location.pathname !== pathname
  return { leaving, refreshing: state !== 'idle' && !leaving }
}
