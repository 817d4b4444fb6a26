import { useEffect } from 'react'

const listeners = new Set<() => void>()

/** Something was decided or taken back, so how much is open on each page of staff has changed. */
export function tellDecided(): void {
  for (const listener of listeners) listener()
}

/** @param then the same function as long as it does the same */
export function useDecided(then: () => void): void {
  useEffect(() => {
    listeners.add(then)
    return () => void listeners.delete(then)
  }, [then])
}
