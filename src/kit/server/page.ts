import { defaultPageSize, totalCap } from '../shared/input.ts'
import { cursorOf, writeCursor } from './cursor.ts'

/** Number of rows of a whole list, counted up to a cap. */
export interface Total {
  count: number
  /** There are more rows than `count`. */
  capped: boolean
}

/** The total from a count that stopped at `most` + 1. */
export const totalUpTo = (counted: number, most = totalCap): Total => ({
  count: Math.min(counted, most),
  capped: counted > most,
})

/** One page of a list. */
export class Page<T> {
  readonly items: T[]
  readonly total: Total
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null
  /** Cursor of the previous page; null on the first page, and for lists that cannot go back. */
  readonly prev: string | null
  /** Nothing matches the typed words; the items are close matches. Sent as `X-Search-Guessed: true`. */
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

  /** The items as JSON, with all of their fields; serialised once, also when the page is sent many times. */
  get json(): Buffer {
    return (this.#json ??= Buffer.from(JSON.stringify(this.items)))
  }
}

export const emptyPage = new Page<never>([], { count: 0, capped: false }, null)

/** Which rows of a list ordered by instant and id to read: `limit` rows, from after the row `after`, or after `offset` rows. */
export interface Stretch {
  after: { at: string; id: string } | null
  offset: number
  limit: number
}

/** Paging parameters of a query. */
export interface PageQuery {
  limit?: number | undefined
  offset?: number | undefined
  after?: string | undefined
}

/**
 * A page of a list ordered by instant and id. `list` is called with one row more than the page has.
 * @throws invalid_input for a malformed cursor
 */
export async function pageByTime<Row, Item>(
  query: PageQuery,
  rows: {
    list: (stretch: Stretch) => Promise<Row[]>
    /** Counts the rows of the whole list, stopping at `cap`. */
    count: (cap: number) => Promise<number>
    placeOf: (row: Row) => [at: Date | string, id: string]
  },
  answer: (rows: Row[]) => Promise<Item[]> | Item[],
): Promise<Page<Item>> {
  const limit = query.limit ?? defaultPageSize
  const after = cursorOf(query.after, ['instant', 'id'])
  const stretch = { after: after && { at: after[0], id: after[1] }, offset: query.offset ?? 0, limit: limit + 1 }
  const found = await rows.list(stretch)
  const counted = await rows.count(totalCap + 1)
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const [at, id] = last && found.length > limit ? rows.placeOf(last) : [null, '']
  const next = at === null ? null : writeCursor([at instanceof Date ? at.toISOString() : at, id])
  return new Page(await answer(shown), totalUpTo(counted), next)
}
