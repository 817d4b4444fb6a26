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
  /** Its account waits to be deleted: nothing of it is public. */
  is_leaving: boolean
}

/** Tier, place and whether it is public; undefined: there is no such business. */
export function merchantOf(db: Sql, businessId: string): Promise<Merchant | undefined> {
  return store.findMerchant(db, businessId)
}

/**
 * The same, and locks the merchant until the end of the transaction: no other transaction changes it or its deals meanwhile, so
 * deals are counted correctly and none is published while its merchant is being hidden. Call it before locking any of the deals.
 */
export function merchantAlone(trx: Sql, businessId: string): Promise<Merchant | undefined> {
  return store.lockMerchant(trx, businessId)
}

/** Whether an own path is a picture that this merchant uploaded. */
export async function isPictureOf(db: Sql, businessId: string, path: string): Promise<boolean> {
  const name = uploadedName(path)
  return name !== null && (await store.isPictureOf(db, businessId, name))
}
