import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { currentConnection, isServerReachable, onReconnect } from './connection.ts'
import { onReturn, staleAfterMs } from './on-return.ts'

/**
 * Loads the data of a page again, in place: on return after `staleAfterMs`, and on reconnect if it shows a cached copy.
 * @param shown what the loader answered; a new object starts the age again
 * @param isThere asked first; by default the server must be reachable, because stale data are better than an error page
 */
export function useRefreshWhenStale(shown: unknown, isThere: () => boolean | Promise<boolean> = isServerReachable) {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const since = Date.now()
    let isLeft = false
    const refresh = async () => {
      if ((await isThere()) && !isLeft) void revalidate()
    }
    const stopReturning = onReturn(() => Date.now() - since > staleAfterMs && void refresh())
    const stopWaiting = currentConnection().asOf === null ? null : onReconnect(() => void refresh())
    return () => {
      isLeft = true
      stopReturning()
      stopWaiting?.()
    }
  }, [shown, revalidate, isThere])
}
