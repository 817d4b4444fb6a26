import type { Sql } from '../../kit/server/database.ts'
import { nameInMail } from '../../kit/server/mail-names.ts'
import type { AccountKind, AccountLanguage } from '../contract.ts'
import * as store from './store.ts'

/** Where mails of other rooms go that somebody asked for. */
export interface Addressee {
  email: string
  /** As it may stand in a mail. */
  name: string
  kind: AccountKind
  language: AccountLanguage
}

/** Null where no mail may go: the address is not confirmed, or the account is blocked or about to be deleted. */
export async function addresseeOf(db: Sql, accountId: string): Promise<Addressee | null> {
  const account = await store.findAccount(db, accountId)
  if (!account?.verified_at || account.blocked_at || account.deletion_at) return null
  const { email, display_name, kind, language } = account
  return { email, name: nameInMail(display_name), kind, language }
}
