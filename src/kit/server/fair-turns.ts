import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal, unavailable } from '../shared/refusal.ts'

const caller = new AsyncLocalStorage<string>()

/** All costly work that `work` begins waits in the line of this address (as `networkOf` writes it). */
export function askedFrom<T>(address: string, work: () => T): T {
  return caller.run(address, work)
}

export interface TurnBounds {
  /** For people: what waits in it. */
  name: string
  /** Pieces of work that run at once. */
  slots: number
  /** How many of one address may wait. Behind one address there may be a whole crowd. */
  perAddress: number
  /** How many may wait in all. */
  most: number
  /** Whoever has waited longer is refused. */
  patienceMs: number
}

interface Waiter {
  begin(): void
  refuse(): void
  patience: NodeJS.Timeout
}

/**
 * Runs costly work, few pieces at once. The rest waits in lines, one for each address, and the lines take turns: an address
 * with many requests delays only its own. Refused as `unavailable` are the work of an address that has `perAddress` waiting,
 * the last of the longest line where `most` wait and somebody with a shorter line comes, and whatever has waited for `patienceMs`.
 * Jobs and all else that nobody asked for share a line. Work must not wait for a turn of the same queue.
 */
export function fairTurns({ slots, perAddress, most, patienceMs }: TurnBounds) {
  /** In the order of their turns; none is empty. */
  const lines = new Map<string, Waiter[]>()
  let waiting = 0
  let busy = 0

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy < slots) busy++
    else await turnOf(caller.getStore() ?? '')
    try {
      return await work()
    } finally {
      passOn()
    }
  }

  /** The turn comes with a slot. */
  function turnOf(address: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const refuse = () => reject(new Refusal(unavailable, { retryAfterS: 5 }))
    const line = lines.get(address) ?? []
    if (!isRoomFor(line)) refuse()
    else {
      const leave = () => takeOut(address, line, line.indexOf(waiter)).refuse()
      const waiter = { begin: resolve, refuse, patience: setTimeout(leave, patienceMs) }
      line.push(waiter)
      lines.set(address, line)
      waiting++
    }
    return promise
  }

  function isRoomFor(line: Waiter[]): boolean {
    if (line.length >= perAddress) return false
    if (waiting < most) return true
    const [address, longest] = [...lines].reduce((one, other) => (other[1].length > one[1].length ? other : one))
    if (longest.length <= line.length + 1) return false
    takeOut(address, longest, longest.length - 1).refuse()
    return true
  }

  function takeOut(address: string, line: Waiter[], at: number): Waiter {
    const [waiter] = line.splice(at, 1) as [Waiter]
    clearTimeout(waiter.patience)
    waiting--
    if (line.length === 0) lines.delete(address)
    return waiter
  }

  function passOn() {
    for (const [address, line] of lines) {
      // behind all other lines
      lines.delete(address)
      const next = takeOut(address, line, 0)
      if (line.length > 0) lines.set(address, line)
      return next.begin()
    }
    busy--
  }
}
