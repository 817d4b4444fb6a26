/** Words and limits of this room in one place, without a library: the contract and the screens alike take them from here. */

/** Characters of a note at most. */
export const noteLength = 280
/** Reminders of an event at most, and the minutes before its start that can be chosen. */
export const remindersMost = 3
export const reminderMinutes = [0, 5, 10, 15, 20, 30, 45, 60, 120] as const
/** Minutes of a gap in which deals are offered: what is longer is a night and no gap. */
export const longestGapMinutes = 8 * 60
