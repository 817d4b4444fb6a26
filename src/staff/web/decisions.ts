import { useEffect } from 'react'

const listeners = new Set<() => void>()

/** Call after a decision or an undo: the counts of open things on the staff pages load again. */
export function announceDecision(): void {
  for (const listener of listeners) listener()
}

/** @param then must be stable, as a dependency of an effect */
export function useOnDecision(then: () => void): void {
  useEffect(() => {
    listeners.add(then)
    return () => void listeners.delete(then)
  }, [then])
}
