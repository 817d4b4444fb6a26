import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { oldAfterMs, onReturn } from './on-return.ts'

const patienceMs = 4000

/** Who comes back to a page that has grown old gets it anew, in place. `shown`: what its loader has answered. */
export function useRenewal(shown: unknown): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const since = Date.now()
    let isLeft = false
    const renew = async () => {
      if (Date.now() - since > oldAfterMs && (await isServerThere()) && !isLeft) void revalidate()
    }
    const stop = onReturn(() => void renew())
    return () => {
      isLeft = true
      stop()
    }
  }, [shown, revalidate])
}

/** Without a server, what is old is better than the error that would take its place. */
const isServerThere = () =>
  fetch('/healthz', { signal: AbortSignal.timeout(patienceMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
