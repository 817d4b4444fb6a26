import type { Sql } from '../../kit/server/database.ts'
import { uploadedName } from '../../kit/server/uploads.ts'
import * as store from './store.ts'

export type { Merchant } from './store.ts'
export const { findMerchant, lockMerchant } = store

/** True: the path is a picture that this merchant uploaded. */
export async function isPictureOf(db: Sql, businessId: string, path: string): Promise<boolean> {
  const name = uploadedName(path)
  return name !== null && (await store.isPictureOf(db, businessId, name))
}
