import { defaultPageSize, totalCap } from '../shared/input.ts'
import { cursorOf, writeCursor } from './cursor.ts'

/** How many rows a whole list has, counted no further than a cap. */
export interface Total {
  count: number
  /** There are more. */
  capped: boolean
}

/** The total of a list by what was counted; who counts goes one further than `most`. */
export const totalUpTo = (counted: number, most = totalCap): Total => ({
  count: Math.min(counted, most),
  capped: counted > most,
})

/** One page of a list. */
export class Page<T> {
  readonly items: T[]
  readonly total: Total
  /** Cursor for the page after this one; null on the last. */
  readonly next: string | null
  /** Cursor for the page before this one; null on the first, and where a list cannot be walked backwards. */
  readonly prev: string | null
  /** The items have not what was typed, but what it may have been meant to be; sent as `X-Search-Guessed: true`. */
  readonly guessed: boolean
  #json: Buffer | undefined

  constructor(
    items: T[],
    total: Total,
    next: string | null,
    { prev = null, guessed = false }: { prev?: string | null; guessed?: boolean } = {},
  ) {
    this.items = items
    this.total = total
    this.next = next
    this.prev = prev
    this.guessed = guessed
  }

  /** The items as JSON, all their fields; written once, also where the page is answered many times. */
  get json(): Buffer {
    return (this.#json ??= Buffer.from(JSON.stringify(this.items)))
  }
}

export const emptyPage = new Page<never>([], { count: 0, capped: false }, null)

/** A part of a list that is ordered by an instant and an id: what comes after those, and so many rows. */
export interface Stretch {
  after: { at: string; id: string } | null
  offset: number
  limit: number
}

/** The page that a query names of such a list. `list` is asked for one row more than the page has. */
export async function pageByTime<Row, Item>(
  query: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined },
  rows: {
    list: (stretch: Stretch) => Promise<Row[]>
    /** Counted no further than `cap`. */
    count: (cap: number) => Promise<number>
    placeOf: (row: Row) => [at: string, id: string]
  },
  answer: (rows: Row[]) => Promise<Item[]> | Item[],
): Promise<Page<Item>> {
  const limit = query.limit ?? defaultPageSize
  const after = cursorOf(query.after, ['instant', 'id'])
  const [found, counted] = await Promise.all([
    rows.list({ after: after && { at: after[0], id: after[1] }, offset: query.offset ?? 0, limit: limit + 1 }),
    rows.count(totalCap + 1),
  ])
  const shown = found.slice(0, limit)
  const next = found.length > limit ? writeCursor(rows.placeOf(shown.at(-1)!)) : null
  return new Page(await answer(shown), totalUpTo(counted), next)
}
