// Part of every page, also of those without React: imports nothing.

/** Its name begins with "my", so that it is deleted with the session. */
export const neededNoteKey = 'myNeeded'

/** The strip as it was last shown: for pages without React, and to keep its place free before the first paint. */
export interface NeededNote {
  /** Ms since 1970; from then on it may be something else. */
  until: number
  href: string
  text: string
  label: string
}

/** Null: nothing is needed now, or storage is blocked. */
export function storedNeeded(): NeededNote | null {
  try {
    const note = JSON.parse(localStorage.getItem(neededNoteKey) ?? 'null') as NeededNote | null
    return note && note.until > Date.now() ? note : null
  } catch {
    return null
  }
}
