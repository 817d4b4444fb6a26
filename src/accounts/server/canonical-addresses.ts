import type { Database, Sql } from '../../kit/server/database.ts'
import { foldAsTyped, readEmail } from '../../kit/shared/email-address.ts'
import * as store from './store.ts'

const stepSize = 500

export type { AddressRow, AddressShelf } from './store.ts'

export const canonicaliseAddresses = (db: Database): Promise<void> => canonicaliseShelf(db, store.accountAddresses)

/**
 * Brings addresses from before there was one form for them into it, at every start, for an older instance may have added
 * some; those in ASCII a migration has done. Nobody is lost: of two accounts that were made by spellings of one address, the
 * proven one, then the older, is found by all of them, and the other by the spelling it was made with. An address that nobody
 * could sign up with any more keeps its account, and gives the key of the address that it reads like back to that one's owner.
 */
export async function canonicaliseShelf(db: Database, shelf: store.AddressShelf): Promise<void> {
  let after: string | null = null
  do {
    const found: string[] = await shelf.beyondAscii(db, after, stepSize)
    for (const id of found) await db.transaction().execute((trx) => canonicalise(trx, shelf, id))
    after = found.length === stepSize ? found.at(-1)! : null
  } while (after !== null)
}

async function canonicalise(trx: Sql, shelf: store.AddressShelf, id: string): Promise<void> {
  const row = await shelf.lock(trx, id)
  if (!row) return
  const read = readEmail(ownAddress(row))
  if (typeof read === 'string') return move(trx, shelf, row, { email: row.email, emailFolded: keyAsTyped(row) })
  const { email, folded } = read
  const twin = await shelf.holderOf(trx, row.kind, folded)
  if (twin && twin.id !== row.id) {
    if (comesBefore(twin, row)) return move(trx, shelf, row, { email, emailFolded: keyAsTyped(row) })
    await move(trx, shelf, twin, { email: twin.email, emailFolded: keyAsTyped(twin) })
  }
  await move(trx, shelf, row, { email, emailFolded: folded })
}

/**
 * Somebody who came by Google took an account over that was made with another spelling of their address; mails went on to that
 * spelling, and so perhaps to whoever had made it.
 */
function ownAddress(row: store.AddressRow): string {
  const isForeign = row.by_google && row.proven_at !== null && readEmail(row.email) === 'confusing'
  return isForeign && !row.email_folded.startsWith(' ') ? row.email_folded : row.email
}

/** Of the spelling that the account was made with, also once its address is in the one form. */
function keyAsTyped({ email, email_folded }: store.AddressRow): string {
  return email_folded.startsWith(' ') ? email_folded : foldAsTyped(email)
}

function comesBefore(one: store.AddressRow, other: store.AddressRow): boolean {
  if (!one.proven_at !== !other.proven_at) return one.proven_at !== null
  return one.created_at.getTime() !== other.created_at.getTime() ? one.created_at < other.created_at : one.id < other.id
}

async function move(
  trx: Sql,
  shelf: store.AddressShelf,
  row: store.AddressRow,
  to: { email: string; emailFolded: string },
): Promise<void> {
  if (row.email !== to.email || row.email_folded !== to.emailFolded) await shelf.setAddress(trx, row.id, to)
}
