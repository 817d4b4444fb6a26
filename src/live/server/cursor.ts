/** Position of a stream: the PostgreSQL snapshot up to which its events are sent. */
export interface Cursor {
  /** `xmin:xmax:running`, as `pg_current_snapshot()` writes it. */
  snapshot: string
  /** When the snapshot was taken, ms since 1970. */
  at: number
  /** Of the primary that took the snapshot: each failover begins a new timeline. */
  timeline: number
}

export const idOf = ({ snapshot, at, timeline }: Cursor): string => `${snapshot}@${at}.${timeline}`

/** Null for an id that is not ours: PostgreSQL would refuse its snapshot with an error. */
export function cursorOf(id: string): Cursor | null {
  const [, snapshot, xmin, xmax, running, at, timeline] =
    /^((\d{1,19}):(\d{1,19}):([\d,]{0,8000}))@(\d{1,15})\.(\d{1,10})$/.exec(id) ?? []
  if (!snapshot || !xmin || !xmax || running === undefined) return null
  const [from, to] = [BigInt(xmin), BigInt(xmax)]
  const between = running === '' ? [] : running.split(',')
  if (!isTransaction(from) || !isTransaction(to) || from > to || between.includes('')) return null
  let before = from - 1n
  for (const each of between) {
    const xid = BigInt(each)
    if (!isTransaction(xid) || xid <= before || xid >= to) return null
    before = xid
  }
  return { snapshot, at: Number(at), timeline: Number(timeline) }
}

/** PostgreSQL: the lower 32 bits are never 0, and ids end before 2^63. */
const isTransaction = (xid: bigint) => BigInt.asUintN(32, xid) !== 0n && xid < 2n ** 63n
