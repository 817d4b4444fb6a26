import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { hashSecret, isSecret } from '../../kit/server/secret-hash.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import type { AccountLanguage, Role } from '../contract.ts'
import { dropEmailChange, tokenOf } from './links.ts'
import { queueLink } from './mails.ts'
import { endSecondFactor, type CommandRoom } from './operator-keys.ts'
import { noteEvent, type AccountRoom } from './room.ts'
import * as store from './store.ts'

/**
 * Makes an existing or new account staff and ends its sessions. The answer holds the token of a reset link, which is also sent by
 * mail.
 */
export async function addStaff(
  room: CommandRoom,
  staff: { email: string; role: 'moderator' | 'admin'; name: string; language: AccountLanguage; origin: string },
): Promise<{ token: string; isNew: boolean }> {
  const now = asDate(room.clock.now())
  return room.db.transaction().execute(async (trx) => {
    const isNew = await store.insertAccount(trx, {
      account_id: newId(),
      kind: 'user',
      role: staff.role,
      email: staff.email,
      display_name: staff.name,
      language: staff.language,
      created_at: now,
    })
    const account = (await store.findAccountByEmail(trx, 'user', foldEmail(staff.email)))!
    if (!isNew) {
      // Somebody else may have signed up with this address: without a password only the mailed link opens the account.
      await store.changeAccount(trx, account.account_id, { role: staff.role, password_hash: null })
      await store.endSessions(trx, account.account_id)
      // A pending change of the address must not take the account to another mailbox.
      await store.deleteLinks(trx, account.account_id, ['reset', 'verify'])
      await dropEmailChange(trx, account.account_id)
    }
    const linkId = await queueLink(room, trx, 'staff', account, staff.origin)
    await noteEvent(room, trx, { event: `role_${staff.role}`, accountId: account.account_id, requestId: 'command' })
    await room.noted?.(trx, {
      action: 'add-staff',
      accountId: account.account_id,
      name: account.display_name,
      role: staff.role,
    })
    return { token: tokenOf(room.keyring, linkId), isNew }
  })
}

/** Makes staff a visitor again and ends sessions and second factor. @returns false: the address belongs to no staff */
export async function removeStaff(room: CommandRoom, email: string, origin: string): Promise<boolean> {
  return room.db.transaction().execute(async (trx) => {
    const account = await store.findAccountByEmail(trx, 'user', foldEmail(email))
    if (!account || account.role === 'user') return false
    await store.changeAccount(trx, account.account_id, { role: 'user' })
    await endSecondFactor(room, trx, account, origin)
    await store.endSessions(trx, account.account_id)
    await noteEvent(room, trx, { event: 'role_user', accountId: account.account_id, requestId: 'command' })
    await room.noted?.(trx, {
      action: 'remove-staff',
      accountId: account.account_id,
      name: account.display_name,
      role: 'user',
    })
    return true
  })
}

/** Adds a verified demo account. An existing one gets its password again, which any visitor may have changed. */
export async function addDemoAccount(
  room: Pick<AccountRoom, 'db' | 'clock'>,
  demo: {
    role: Role & ('user' | 'business')
    email: string
    name: string
    password: string
    businessId: string | null
  },
): Promise<void> {
  const found = await store.findAccountByEmail(room.db, demo.role, foldEmail(demo.email))
  if (found) {
    if (await isSecret(demo.password, found.password_hash)) return
    return store.changeAccount(room.db, found.account_id, { password_hash: await hashSecret(demo.password) })
  }
  const now = asDate(room.clock.now())
  await store.insertAccount(room.db, {
    account_id: newId(),
    kind: demo.role,
    role: demo.role,
    email: demo.email,
    display_name: demo.name,
    language: 'en',
    password_hash: await hashSecret(demo.password),
    verified_at: now,
    business_id: demo.businessId,
    accepted_terms_at: now,
    created_at: now,
  })
}
