import type { Sql } from '../../kit/server/database.ts'
import { nameInMail } from '../../kit/server/mail-names.ts'
import type { AccountKind, AccountLanguage } from '../contract.ts'
import * as store from './store.ts'
import { canGetMail } from '../policy.ts'

/** Recipient of mails that other rooms send. */
export interface Addressee {
  email: string
  /** Made safe for mails: it cannot become a link. */
  name: string
  kind: AccountKind
  language: AccountLanguage
}

/** Null: the account gets no mail (`canGetMail`). */
export async function addresseeOf(db: Sql, accountId: string): Promise<Addressee | null> {
  const account = await store.findAccount(db, accountId)
  if (!account || !canGetMail(account)) return null
  const { email, display_name, kind, language } = account
  return { email, name: nameInMail(display_name), kind, language }
}
