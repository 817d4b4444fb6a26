import type { AuditEntry } from '../contract.ts'

/** Fields that the log tells in words, in this order; `label` is their key under `staff.fields`. */
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

/** What an entry changed, field by field; nothing where it made or deleted something as a whole. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): LoggedChange[] {
  if (before === null || after === null) return []
  return loggedFields
    .filter((field) => Object.hasOwn(before, field) && Object.hasOwn(after, field))
    .map((field) => ({ field, before: before[field], after: after[field] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}
