import type { Sql } from '../../kit/server/database.ts'
import * as store from './store.ts'

/** What higher rooms may know of a person: how they are called, their language, and the reminder that they chose for every event. */
export interface Person {
  display_name: string
  language: string
  default_reminder_min: number | null
}

/** Null for an account that is unknown or blocked. */
export async function findPerson(db: Sql, accountId: string): Promise<Person | null> {
  const account = await store.findAccount(db, accountId)
  if (!account || account.blocked_at !== null) return null
  const { display_name, language, default_reminder_min } = account
  return { display_name, language, default_reminder_min }
}

/** Whether a visitor's account has the login address of the business: the same person, as far as anybody can tell. */
export async function isOwnersVisitor(db: Sql, accountId: string, businessId: string): Promise<boolean> {
  const owner = await store.accountRows(db).where('business_id', '=', businessId).executeTakeFirst()
  const visitor = await store.findAccount(db, accountId)
  return owner !== undefined && owner.email_folded === visitor?.email_folded
}

/** When each of these accounts was made, by its id; one that is gone is left out. */
export const { accountsMadeAt } = store

/** Pairs of these accounts that have logged in from the same network address within the last 90 days. */
export const { sharedAddresses } = store
