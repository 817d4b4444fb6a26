import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

/** An address of an account or of a subscriber to the newsletter, and what decides which of two twins it is. */
export interface AddressRow {
  id: string
  /** Null for subscribers. */
  kind: string | null
  email: string
  email_folded: string
  /** When its owner showed that it is theirs; null: nobody has. */
  proven_at: Date | null
  created_at: Date
  /** Somebody came by Google, with a verified address that folded to this one. */
  by_google: boolean
}

export type AddressTable = 'accounts' | 'newsletter_subscribers'

const columns = {
  accounts: sql`account_id as id, kind, email, email_folded, verified_at as proven_at, created_at,
    exists (select from identities i where i.account_id = t.account_id) as by_google`,
  newsletter_subscribers: sql`subscriber_id as id, null as kind, email, email_folded, confirmed_at as proven_at, created_at,
    false as by_google`,
}
const ids = { accounts: sql`account_id`, newsletter_subscribers: sql`subscriber_id` }
const isBeyondAscii = sql`octet_length(email) <> char_length(email)`

/** Addresses with letters beyond ASCII, in the order of their ids. */
export async function addressesBeyondAscii(db: Sql, table: AddressTable, after: string | null, limit: number) {
  const { rows } = await sql<{ id: string }>`
    select ${ids[table]} as id from ${sql.table(table)} t
    where ${isBeyondAscii} ${after === null ? sql`` : sql`and ${ids[table]} > ${after}`}
    order by ${ids[table]} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The row, locked until the transaction ends. */
export async function lockAddress(trx: Sql, table: AddressTable, id: string): Promise<AddressRow | undefined> {
  const { rows } = await sql<AddressRow>`
    select ${columns[table]} from ${sql.table(table)} t where ${ids[table]} = ${id} for no key update`.execute(trx)
  return rows[0]
}

/** Who has this key, of the same kind. */
export async function holderOf(
  trx: Sql,
  table: AddressTable,
  kind: string | null,
  emailFolded: string,
): Promise<AddressRow | undefined> {
  const { rows } = await sql<AddressRow>`
    select ${columns[table]} from ${sql.table(table)} t
    where email_folded = ${emailFolded} ${kind === null ? sql`` : sql`and kind = ${kind}`}
    for no key update`.execute(trx)
  return rows[0]
}

export async function setAddress(
  trx: Sql,
  table: AddressTable,
  id: string,
  address: { email: string; emailFolded: string },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set email = ${address.email}, email_folded = ${address.emailFolded}
    where ${ids[table]} = ${id}`.execute(trx)
}
