/** Words and limits of this room in one place, without a library: the contract and the screens alike take them from here. */

export const eventCategories = [
  'music',
  'nightlife',
  'food',
  'workshop',
  'family',
  'culture',
  'sport',
  'other',
] as const
export type EventCategory = (typeof eventCategories)[number]

/** What staff decide about an event; drafts are seen by staff alone. */
export const eventStates = ['draft', 'scheduled', 'delayed', 'moved', 'cancelled'] as const
export type EventRowState = (typeof eventStates)[number]

/** `ended` follows from the time. */
export const eventStatuses = [...eventStates, 'ended'] as const
export type EventStatus = (typeof eventStatuses)[number]

/** An event without an end counts for so many minutes where times are compared. */
export const openEndMinutes = 60
/** How many have an event in their schedule is shown from this number on. */
export const savesShownFrom = 5
/** What staff type is no further from now: one wrong digit of a year would stretch the festival over centuries. */
export const farthestYears = 2
/** Of one event. */
export const mostPerformers = 40
export const mostLanguages = 10
