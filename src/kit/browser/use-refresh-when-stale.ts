import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { currentConnection, isServerReachable, onReconnect } from './connection.ts'
import { onReturn, staleAfterMs } from './on-return.ts'

/**
 * Loads a page's data again, in place: when somebody returns to a page older than `staleAfterMs`, and on reconnect if
 * the page shows an offline copy.
 * @param shown what the loader answered; a new object starts the age again
 * @param mayRefresh asked before each refresh. By default the server must be reachable: stale data are better than an
 *   error page. A loader that falls back to its own data needs no such check.
 */
export function useRefreshWhenStale(
  shown: unknown,
  mayRefresh: () => boolean | Promise<boolean> = isServerReachable,
): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const since = Date.now()
    let isLeft = false
    const refresh = async () => {
      if ((await mayRefresh()) && !isLeft) void revalidate()
    }
    const stopReturning = onReturn(() => Date.now() - since > staleAfterMs && void refresh())
    const stopWaiting = currentConnection().asOf === null ? null : onReconnect(() => void refresh())
    return () => {
      isLeft = true
      stopReturning()
      stopWaiting?.()
    }
  }, [shown, revalidate, mayRefresh])
}
