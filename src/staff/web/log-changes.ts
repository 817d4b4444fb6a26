import type { AuditEntry } from '../contract.ts'

/** Fields that the log page shows, in this order; labels under `staff.fields`. */
export const loggedFields = [
  'title',
  'tags',
  'state',
  'starts_at',
  'ends_at',
  'stage',
  'category',
  'performers',
  'description',
  'price_rappen',
  'ticket_url',
  'age_min',
  'languages',
  'family_friendly',
  'image_url',
  'venue_name',
  'address',
  'latitude',
  'longitude',
  'capacity',
  'step_free',
  'quiet_area',
  'silenced_until',
] as const
export type LoggedField = (typeof loggedFields)[number]

export interface LoggedChange {
  field: LoggedField
  before: unknown
  after: unknown
}

/** What an entry changed, field by field; empty for an entry that created or deleted a thing. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): LoggedChange[] {
  if (before === null || after === null) return []
  return loggedFields
    .filter((field) => Object.hasOwn(before, field) && Object.hasOwn(after, field))
    .map((field) => ({ field, before: before[field], after: after[field] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}
