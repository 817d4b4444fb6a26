/** The row `r` with `opening_changes` is open at `$now`. */
export const isOpenNow = (r: string) => `is_open($now, ${r}.opening_changes)`

/** What a row tells of its openings at `$now`; `openingAnswer` makes of it what people are told. */
export interface OpeningRow {
  /** False too where the hours are not filled up to now: a place is never called closed on a guess. */
  hours_known_now: boolean
  /** How often the place has opened or closed: odd while it is open. */
  changes_past: number
  /** null too for an opening that reaches the end of what is filled: when it ends is not known. */
  next_change: string | null
}

/** The columns of `OpeningRow`, of the row `r` with `opening_changes`, whose hours are known where `known` holds. */
export function openingColumns(r: string, known = 'true') {
  return `
    coalesce(${known} and ${r}.hours_filled_until > $now, false) as hours_known_now,
    width_bucket($now, ${r}.opening_changes) as changes_past,
    nullif(next_change($now, ${r}.opening_changes), ${r}.hours_filled_until) as next_change`
}
