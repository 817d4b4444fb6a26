import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal, unavailable } from '../shared/refusal.ts'

const caller = new AsyncLocalStorage<string>()

/** Runs `work`; costly work that it begins waits in the line of this address (in the form of `networkOf`). */
export function inLineOf<T>(address: string, work: () => T): T {
  return caller.run(address, work)
}

export interface TurnBounds {
  /** Name of the queue, for people. */
  name: string
  /** Pieces of work that run at once. */
  slots: number
  /** Pieces of work of one address that may wait. A whole crowd may share one address. */
  perAddress: number
  /** Pieces of work that may wait in all. */
  most: number
  /** Work that has waited longer is refused. */
  patienceMs: number
}

interface Waiter {
  begin(): void
  refuse(): void
  patience: NodeJS.Timeout
}

/**
 * A fair queue: runs costly work, few pieces at once. The rest waits in lines, one per address, and the lines take turns, so an address
 * with many requests delays only itself. Work without an address, such as a job, shares one line. Work must not wait for a turn of its
 * own queue.
 * @throws unavailable for an address with `perAddress` waiting; for the last of the longest line when `most` wait and work of an address
 * with a shorter line comes; after `patienceMs` of waiting
 */
export function fairTurns({ slots, perAddress, most, patienceMs }: TurnBounds) {
  /** By address, in the order of turns; no line is empty. */
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

  /** Resolves when a slot is passed on to this work. */
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
      // back to the end, behind all other lines
      lines.delete(address)
      const next = takeOut(address, line, 0)
      if (line.length > 0) lines.set(address, line)
      return next.begin()
    }
    busy--
  }
}
