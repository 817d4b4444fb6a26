import type { Sql } from '../../kit/server/database.ts'
import { uploadedName } from '../../kit/server/uploads.ts'
import type { Tier } from '../contract.ts'
import * as store from './store.ts'

/** A merchant as the rooms above need it. */
export interface Merchant {
  subscription_tier: Tier
  latitude: number | null
  longitude: number | null
  /** Suspended by staff: nothing of it is public. */
  is_suspended: boolean
  /** The account will be deleted: nothing of it is public. */
  is_leaving: boolean
}

/** Reads a merchant; undefined: there is no such business. */
export function merchantOf(db: Sql, businessId: string): Promise<Merchant | undefined> {
  return store.findMerchant(db, businessId)
}

/**
 * Reads and locks a merchant until the end of the transaction. All changes of its deals take this lock, so that deals are counted
 * correctly and none is published while the merchant is being hidden. Take it before locks of deals.
 */
export function merchantAlone(trx: Sql, businessId: string): Promise<Merchant | undefined> {
  return store.lockMerchant(trx, businessId)
}

/** True: the path is a picture that this merchant uploaded. */
export async function isPictureOf(db: Sql, businessId: string, path: string): Promise<boolean> {
  const name = uploadedName(path)
  return name !== null && (await store.isPictureOf(db, businessId, name))
}
