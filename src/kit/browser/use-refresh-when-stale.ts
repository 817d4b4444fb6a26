import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { currentConnection, isServerReachable, onReconnect } from './connection.ts'
import { staleAfterMs, onReturn } from './on-return.ts'

/**
 * Who comes back to a page that has grown old gets it anew, in place, and so does who looks at one that was kept, once the network
 * is back. `shown`: what its loader has answered. Without a server, what is old is better than the error that would take its
 * place, unless the loader sees to that (`isThere`).
 */
export function useRefreshWhenStale(
  shown: unknown,
  isThere: () => boolean | Promise<boolean> = isServerReachable,
): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const since = Date.now()
    let isLeft = false
    const renew = async () => {
      if ((await isThere()) && !isLeft) void revalidate()
    }
    const stopReturning = onReturn(() => Date.now() - since > staleAfterMs && void renew())
    const stopWaiting = currentConnection().asOf === null ? null : onReconnect(() => void renew())
    return () => {
      isLeft = true
      stopReturning()
      stopWaiting?.()
    }
  }, [shown, revalidate, isThere])
}
