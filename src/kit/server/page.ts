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

/** What a query says of the page that it wants. */
export interface PageQuery {
  limit?: number | undefined
  offset?: number | undefined
  after?: string | undefined
}

/** The page that a query names of such a list. `list` is asked for one row more than the page has. */
export async function pageByTime<Row, Item>(
  query: PageQuery,
  rows: {
    list: (stretch: Stretch) => Promise<Row[]>
    /** Counted no further than `cap`. */
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
