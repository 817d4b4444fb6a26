import type { Sql } from '../../kit/server/database.ts'
import * as store from './store.ts'

/** What other rooms may know of a person. `default_reminder_min`: minutes before each event; null: none. */
export interface Person {
  display_name: string
  language: string
  default_reminder_min: number | null
}

/** Null: the account is unknown or blocked. */
export async function findPerson(db: Sql, accountId: string): Promise<Person | null> {
  const account = await store.findAccount(db, accountId)
  if (!account || account.blocked_at !== null) return null
  const { display_name, language, default_reminder_min } = account
  return { display_name, language, default_reminder_min }
}

/** The account of the merchant. */
export async function ownerOfBusiness(db: Sql, businessId: string): Promise<store.AccountRow | undefined> {
  return store.accountRows(db).where('business_id', '=', businessId).executeTakeFirst()
}

/** Whether a visitor's account has the email address of the business's merchant, so is probably the same person. */
export async function isOwnersVisitor(db: Sql, accountId: string, businessId: string): Promise<boolean> {
  const owner = await ownerOfBusiness(db, businessId)
  const visitor = await store.findAccount(db, accountId)
  return owner !== undefined && owner.email_folded === visitor?.email_folded
}

/** Creation time of each of these accounts, by id; deleted ones are left out. */
export const { accountsMadeAt } = store

/** Pairs of these accounts that have logged in from the same network address within the last 90 days. */
export const { sharedAddresses } = store
