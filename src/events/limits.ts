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

/** `ended` follows from the time; drafts are seen by staff alone. */
export const eventStatuses = ['draft', 'scheduled', 'delayed', 'moved', 'cancelled', 'ended'] as const
export type EventStatus = (typeof eventStatuses)[number]
