/** Where a stream stands: what PostgreSQL could see then, and when that was. */
export interface Cursor {
  /** `xmin:xmax:running`, as `pg_current_snapshot()` writes it. */
  seen: string
  /** Milliseconds since 1970. */
  at: number
  /** Which primary it was: each that takes over begins a timeline of its own. */
  timeline: number
}

export const idOf = ({ seen, at, timeline }: Cursor): string => `${seen}@${at}.${timeline}`

/** Null for what is none of ours, and would be an error to PostgreSQL. */
export function cursorOf(id: string): Cursor | null {
  const [, seen, xmin, xmax, running, at, timeline] =
    /^((\d{1,19}):(\d{1,19}):([\d,]{0,8000}))@(\d{1,15})\.(\d{1,10})$/.exec(id) ?? []
  if (!seen || !xmin || !xmax || running === undefined) return null
  const [from, to] = [BigInt(xmin), BigInt(xmax)]
  const between = running === '' ? [] : running.split(',')
  if (!isTransaction(from) || !isTransaction(to) || from > to || between.includes('')) return null
  let before = from - 1n
  for (const each of between) {
    const xid = BigInt(each)
    if (!isTransaction(xid) || xid <= before || xid >= to) return null
    before = xid
  }
  return { seen, at: Number(at), timeline: Number(timeline) }
}

/** 0 of an epoch is none to PostgreSQL, and its numbers end before 2^63. */
const isTransaction = (xid: bigint) => BigInt.asUintN(32, xid) !== 0n && xid < 2n ** 63n
