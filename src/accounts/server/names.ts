import type { Sql } from '../../kit/server/database.ts'
import { skeletonOf } from '../../kit/shared/name-skeleton.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { looksOfficial } from './reserved-names.ts'
import type { AccountRoom } from './room.ts'
import * as store from './store.ts'

/** Whether a name is reserved for the festival, its roles and its staff, or looks like such a name. */
export async function isReservedName(db: Sql, festivalName: string, name: string): Promise<boolean> {
  if (looksOfficial(name, festivalName)) return true
  const skeleton = skeletonOf(name)
  return skeleton !== '' && (await store.staffNames(db)).some((staff) => skeletonOf(staff) === skeleton)
}

/** @throws `invalid_input` for the field */
export async function refuseReservedName(
  { db, settings }: Pick<AccountRoom, 'db' | 'settings'>,
  name: string,
  field: string,
): Promise<void> {
  if (await isReservedName(db, settings.festivalName, name))
    throw new Refusal(invalidInput, { fields: { [field]: { key: 'name_reserved' } } })
}
