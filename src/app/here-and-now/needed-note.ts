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

/** The time comes first, where `start-page.ts` reads it with little code. */
export const noteText = (note: NeededNote): string => `${note.until} ${JSON.stringify(note)}`

/** Null: nothing is needed now, or storage is blocked. */
export function storedNeeded(): NeededNote | null {
  try {
    const text = localStorage.getItem(neededNoteKey)!
    const note = JSON.parse(text.slice(text.indexOf(' '))) as NeededNote
    return note.until > Date.now() ? note : null
  } catch {
    return null
  }
}
