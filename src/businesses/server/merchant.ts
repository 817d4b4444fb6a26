import type { Sql } from '../../kit/server/database.ts'
import { uploadedName } from '../../kit/server/uploads.ts'
import type { Tier } from '../contract.ts'
import * as store from './store.ts'

/** What the rooms above ask of a merchant. */
export interface Merchant {
  subscription_tier: Tier
  latitude: number | null
  longitude: number | null
  /** By staff: nothing of it is public. */
  is_suspended: boolean
}

/** Tier, place and whether it is suspended; undefined: there is no such business. */
export function merchantOf(db: Sql, businessId: string): Promise<Merchant | undefined> {
  return store.findMerchant(db, businessId)
}

/** Whether an own path is a picture that this merchant uploaded. */
export async function isPictureOf(db: Sql, businessId: string, path: string): Promise<boolean> {
  const name = uploadedName(path)
  return name !== null && (await store.isPictureOf(db, businessId, name))
}
