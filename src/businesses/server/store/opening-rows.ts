/** SQL condition: row `r`, which has `opening_changes`, is open at `$now`. */
export const isOpenNow = (r: string) => `is_open($now, ${r}.opening_changes)`

/** The opening state of a row at `$now`; `openingAnswer` turns it into an answer. */
export interface OpeningRow {
  /** False if the hours are unknown or not filled up to now: a place is never called closed on a guess. */
  hours_known_now: boolean
  /** Number of openings and closings so far: odd while it is open. */
  changes_past: number
  /** null: unknown, also if the present opening reaches the end of the stored ones. */
  next_change: string | null
}

/** SQL: the columns of `OpeningRow` of row `r`; `known`: condition that its hours are known. */
export function openingColumns(r: string, known = 'true') {
  return `
    coalesce(${known} and ${r}.hours_filled_until > $now, false) as hours_known_now,
    width_bucket($now, ${r}.opening_changes) as changes_past,
    nullif(next_change($now, ${r}.opening_changes), ${r}.hours_filled_until) as next_change`
}
