import { Refusal, unavailable } from '../shared/refusal.ts'

interface Waiter {
  since: number
  begin(): void
  refuse(): void
}

/**
 * Runs at most `slots` pieces of costly work at once. The rest waits in lines, one for each caller (`of`), and the lines take turns,
 * so that a caller with many requests delays only their own. Of `most` that wait the last of the longest line gives way to somebody with a shorter
 * one. Work whose turn comes after `patienceMs` is not begun any more. Both are refused as `unavailable`.
 */
export function fairTurns(limits: { slots: number; most: number; patienceMs: number; now?: () => number }) {
  const { slots, most, patienceMs, now = () => performance.now() } = limits
  /** In the order of their turns. */
  const lines = new Map<string, Waiter[]>()
  let waiting = 0
  let busy = 0

  function isRoomFor(of: string): boolean {
    if (waiting < most) return true
    const longest = [...lines.values()].reduce((one, other) => (other.length > one.length ? other : one))
    if (longest.length <= (lines.get(of)?.length ?? 0) + 1) return false
    longest.pop()!.refuse()
    waiting--
    return true
  }

  function queue(of: string): Promise<void> {
    const refusal = () => new Refusal(unavailable, { retryAfterS: 5 })
    if (!isRoomFor(of)) return Promise.reject(refusal())
    return new Promise((resolve, reject) => {
      const waiter = { since: now(), begin: resolve, refuse: () => reject(refusal()) }
      const line = lines.get(of)
      if (line) line.push(waiter)
      else lines.set(of, [waiter])
      waiting++
    })
  }

  function passOn() {
    for (const [of, line] of lines) {
      const first = line.shift()!
      waiting--
      // behind all other lines
      lines.delete(of)
      if (line.length > 0) lines.set(of, line)
      if (now() - first.since <= patienceMs) return first.begin()
      first.refuse()
    }
    busy--
  }

  return async <T>(of: string, work: () => Promise<T>): Promise<T> => {
    if (busy >= slots) await queue(of)
    else busy++
    try {
      return await work()
    } finally {
      passOn()
    }
  }
}
