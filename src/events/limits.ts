/** Words and limits of this room for contract and screens; imports no library, so that pages stay small. */

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

/** States that staff set; only staff see drafts. */
export const eventStates = ['draft', 'scheduled', 'delayed', 'moved', 'cancelled'] as const
export type EventRowState = (typeof eventStates)[number]

/** Statuses that answers give; `ended` follows from the time. */
export const eventStatuses = [...eventStates, 'ended'] as const
export type EventStatus = (typeof eventStatuses)[number]

/** Assumed minutes of an event without an end, where times are compared. */
export const openEndMinutes = 60
/** Visitors see how many saved an event from this number on; fewer might name somebody. */
export const savesShownFrom = 5
/** Years from now that staff may set: one wrong digit of a year would stretch the festival over centuries. */
export const farthestYears = 2
/** Limits of one event. */
export const mostPerformers = 40
export const mostLanguages = 10

/** What a column of a programme may hold. */
export const tableFields = [
  'id',
  'title',
  'subtitle',
  'start',
  'date',
  'end',
  'end_date',
  'duration',
  'stage',
  'description',
  'category',
  'performers',
  'languages',
  'latitude',
  'longitude',
  'status',
] as const
export type TableField = (typeof tableFields)[number]

/** Order of day and month in dates such as 03/04/2026. */
export const dayOrders = ['day-first', 'month-first'] as const
export type DayOrder = (typeof dayOrders)[number]

/** Minutes between two reads of a programme's address. */
export const leastMinutes = 5
export const mostMinutes = 60
export const usualMinutes = 15
