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

/** Where addresses are kept, each found by its folded one. */
export interface AddressShelf {
  /** Those with letters beyond ASCII, in the order of their ids. */
  beyondAscii(db: Sql, after: string | null, limit: number): Promise<string[]>
  /** The row, locked until the transaction ends. */
  lock(trx: Sql, id: string): Promise<AddressRow | undefined>
  /** Who has this key, of the same kind; locked. */
  holderOf(trx: Sql, kind: string | null, emailFolded: string): Promise<AddressRow | undefined>
  setAddress(trx: Sql, id: string, address: { email: string; emailFolded: string }): Promise<void>
}

const columns = sql`account_id as id, kind, email, email_folded, verified_at as proven_at, created_at,
  exists (select from identities i where i.account_id = t.account_id) as by_google`

/** Addresses of accounts, to be brought into one form. */
export const accountAddresses: AddressShelf = {
  async beyondAscii(db, after, limit) {
    const { rows } = await sql<{ id: string }>`
      select account_id as id from accounts
      where octet_length(email) <> char_length(email) ${after === null ? sql`` : sql`and account_id > ${after}`}
      order by account_id limit ${limit}`.execute(db)
    return rows.map(({ id }) => id)
  },
  async lock(trx, id) {
    const { rows } = await sql<AddressRow>`
      select ${columns} from accounts t where account_id = ${id} for no key update`.execute(trx)
    return rows[0]
  },
  async holderOf(trx, kind, emailFolded) {
    const { rows } = await sql<AddressRow>`
      select ${columns} from accounts t
      where email_folded = ${emailFolded} and kind = ${kind}
      for no key update`.execute(trx)
    return rows[0]
  },
  async setAddress(trx, id, { email, emailFolded }) {
    await sql`
      update accounts set email = ${email}, email_folded = ${emailFolded} where account_id = ${id}`.execute(trx)
  },
}
