import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import type { AccountKind, AccountLanguage, Role } from '../contract.ts'

// ------------------------------------------------------------------------------------------------- accounts

export interface AccountRow {
  account_id: string
  kind: AccountKind
  role: Role
  email: string
  email_folded: string
  display_name: string
  language: AccountLanguage
  password_hash: string | null
  verified_at: Date | null
  business_id: string | null
  blocked_at: Date | null
  location_consent: boolean
  default_reminder_min: number | null
  totp_secret: Buffer | null
  totp_pending: Buffer | null
  totp_last_step: number | null
  deletion_at: Date | null
  created_at: Date
}

const accountColumns = [
  'account_id',
  'kind',
  'role',
  'email',
  'email_folded',
  'display_name',
  'language',
  'password_hash',
  'verified_at',
  'business_id',
  'blocked_at',
  'location_consent',
  'default_reminder_min',
  'totp_secret',
  'totp_pending',
  'totp_last_step',
  'deletion_at',
  'created_at',
] as const

export interface NewAccount {
  account_id: string
  kind: AccountKind
  role: Role
  email: string
  email_folded: string
  display_name: string
  language: AccountLanguage
  password_hash: string | null
  verified_at: Date | null
  business_id: string | null
  accepted_terms_at: Date | null
  created_at: Date
}

/** False when the address already has an account of this kind. */
export async function insertAccount(db: Sql, account: NewAccount): Promise<boolean> {
  const { rows } = await sql`
    insert into accounts (account_id, kind, role, email, email_folded, display_name, language, password_hash,
      verified_at, business_id, accepted_terms_at, created_at)
    values (${account.account_id}, ${account.kind}, ${account.role}, ${account.email}, ${account.email_folded},
      ${account.display_name}, ${account.language}, ${account.password_hash}, ${account.verified_at},
      ${account.business_id}, ${account.accepted_terms_at}, ${account.created_at})
    on conflict (kind, email_folded) do nothing
    returning 1`.execute(db)
  return rows.length > 0
}

/** From here on what is made beside a new account can be unmade by `endAccount`. */
export async function beginAccount(trx: Sql): Promise<void> {
  await sql`savepoint before_account`.execute(trx)
}

/** Keeps what was made since `beginAccount`, or unmakes it: one short statement either way. */
export async function endAccount(trx: Sql, isKept: boolean): Promise<void> {
  await (isKept ? sql`release savepoint before_account` : sql`rollback to savepoint before_account`).execute(trx)
}

export async function findAccount(db: Sql, accountId: string): Promise<AccountRow | undefined> {
  return (await db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('account_id', '=', accountId)
    .executeTakeFirst()) as AccountRow | undefined
}

/** The row, locked until the transaction ends. */
export async function lockAccount(db: Sql, accountId: string): Promise<AccountRow | undefined> {
  return (await db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()) as AccountRow | undefined
}

export async function findAccountByEmail(
  db: Sql,
  kind: AccountKind,
  emailFolded: string,
): Promise<AccountRow | undefined> {
  return (await db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('kind', '=', kind)
    .where('email_folded', '=', emailFolded)
    .executeTakeFirst()) as AccountRow | undefined
}

/** At most two: one of each kind. */
export async function accountsOfEmail(db: Sql, emailFolded: string): Promise<AccountRow[]> {
  return (await db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('email_folded', '=', emailFolded)
    .limit(2)
    .execute()) as AccountRow[]
}

export interface AccountChange {
  display_name?: string
  language?: AccountLanguage
  location_consent?: boolean
  default_reminder_min?: number | null
  email?: string
  email_folded?: string
  password_hash?: string | null
  verified_at?: Date
  totp_secret?: Buffer | null
  totp_pending?: Buffer | null
  totp_last_step?: number | null
  deletion_at?: Date | null
  role?: Role
}

export async function changeAccount(db: Sql, accountId: string, change: AccountChange): Promise<void> {
  await db.updateTable('accounts').set(change).where('account_id', '=', accountId).execute()
}

/** Marks a step of the authenticator app as used; false when it, or a later one, was used already. */
export async function useTotpStep(db: Sql, accountId: string, step: number): Promise<boolean> {
  const { rows } = await sql`
    update accounts set totp_last_step = ${step}
    where account_id = ${accountId} and (totp_last_step is null or totp_last_step < ${step})
    returning 1`.execute(db)
  return rows.length > 0
}

export async function replaceRecoveryCodes(db: Sql, accountId: string, hashes: Buffer[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  if (hashes.length > 0)
    await db
      .insertInto('recovery_codes')
      .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
      .execute()
}

/** True when the code was there; it is not any more. */
export async function useRecoveryCode(db: Sql, accountId: string, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_codes where account_id = ${accountId} and code_hash = ${hash} returning 1`.execute(db)
  return rows.length > 0
}

export async function accountExtras(db: Sql, accountId: string, emailFolded: string, now: Date) {
  const { rows } = await sql<{
    recovery_codes_left: number
    google_linked: boolean
    newsletter: boolean
    pending_email: string | null
  }>`
    select
      (select count(*) from recovery_codes where account_id = ${accountId}) as recovery_codes_left,
      exists (select 1 from identities where account_id = ${accountId}) as google_linked,
      exists (select 1 from newsletter_subscribers where email_folded = ${emailFolded} and confirmed_at is not null)
        as newsletter,
      (select new_email from mailed_links
        where account_id = ${accountId} and purpose = 'change_email' and expires_at > ${now}
        order by created_at desc limit 1) as pending_email`.execute(db)
  return rows[0]!
}

// ------------------------------------------------------------------------------------------------- sessions

export interface WhoRow {
  account_id: string
  role: Role
  business_id: string | null
  verified: boolean
  lacks_second_factor: boolean
}

/** Who a living session belongs to: one look at two primary keys, at every call with a token. */
export async function whoIsInSession(
  db: Sql,
  sessionId: string,
  accountId: string,
  now: Date,
): Promise<WhoRow | undefined> {
  const { rows } = await sql<WhoRow>`
    select a.account_id, a.role, a.business_id, a.verified_at is not null as verified,
      a.role in ('moderator', 'admin') and a.totp_secret is null as lacks_second_factor
    from sessions s join accounts a using (account_id)
    where s.session_id = ${sessionId} and a.account_id = ${accountId} and s.expires_at > ${now}
      and a.blocked_at is null`.execute(db)
  return rows[0]
}

export interface SessionRow {
  session_id: string
  device: string
  created_at: Date
  last_used_at: Date
  expires_at: Date
}

/** Begins a session with its first refresh token; of too many the ones unused for longest end. */
export async function insertSession(
  db: Sql,
  session: SessionRow & { account_id: string; token_hash: Buffer },
  atMost: number,
): Promise<void> {
  await sql`
    with begun as (
      insert into sessions (session_id, account_id, device, created_at, last_used_at, expires_at)
      values (${session.session_id}, ${session.account_id}, ${session.device}, ${session.created_at},
        ${session.last_used_at}, ${session.expires_at})
      returning session_id
    ),
    surplus as (
      delete from sessions where session_id in (
        select session_id from sessions where account_id = ${session.account_id}
        order by last_used_at desc offset ${atMost - 1} limit 100)
    )
    insert into refresh_tokens (token_hash, session_id, issued_at)
    select ${session.token_hash}::bytea, session_id, ${session.created_at}::timestamptz from begun`.execute(db)
}

export interface RefreshRow {
  session_id: string
  used_at: Date | null
  expires_at: Date
  session_created_at: Date
  account_id: string
  role: Role
  business_id: string | null
  blocked_at: Date | null
}

/** The token with its session, locked until the transaction ends, so that two tabs refresh one after the other. */
export async function lockRefreshToken(db: Sql, tokenHash: Buffer): Promise<RefreshRow | undefined> {
  const { rows } = await sql<RefreshRow>`
    select t.session_id, t.used_at, s.expires_at, s.created_at as session_created_at,
      a.account_id, a.role, a.business_id, a.blocked_at
    from refresh_tokens t join sessions s using (session_id) join accounts a using (account_id)
    where t.token_hash = ${tokenHash}
    for update of s`.execute(db)
  return rows[0]
}

/** State of a token further down the chain. */
export async function findRefreshToken(db: Sql, tokenHash: Buffer): Promise<{ used_at: Date | null } | undefined> {
  return db.selectFrom('refresh_tokens').select('used_at').where('token_hash', '=', tokenHash).executeTakeFirst()
}

export async function rotateRefreshToken(
  db: Sql,
  rotation: { sessionId: string; used: Buffer; next: Buffer; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    with used as (
      update refresh_tokens set used_at = ${rotation.now} where token_hash = ${rotation.used}
    ),
    session as (
      update sessions set last_used_at = ${rotation.now}, expires_at = ${rotation.expiresAt}
      where session_id = ${rotation.sessionId}
    )
    insert into refresh_tokens (token_hash, session_id, issued_at)
    values (${rotation.next}, ${rotation.sessionId}, ${rotation.now})`.execute(db)
}

export async function listSessions(db: Sql, accountId: string, now: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .select(['session_id', 'device', 'created_at', 'last_used_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .limit(100)
    .execute()
}

/** False when the account has no such session. */
export async function endSession(db: Sql, accountId: string, sessionId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from sessions where session_id = ${sessionId} and account_id = ${accountId} returning 1`.execute(db)
  return rows.length > 0
}

export async function endSessions(db: Sql, accountId: string, but: string | null = null): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .$if(but !== null, (query) => query.where('session_id', '!=', but))
    .execute()
}

/** Whether the account has logged in from this address before. */
export async function isFamiliar(db: Sql, accountId: string, address: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select 1 from familiar_addresses where account_id = ${accountId} and address = ${address}`.execute(db)
  return rows.length > 0
}

export async function makeFamiliar(db: Sql, accountId: string, address: Buffer, now: Date): Promise<void> {
  await sql`
    insert into familiar_addresses (account_id, address, last_used_at) values (${accountId}, ${address}, ${now})
    on conflict (account_id, address) do update set last_used_at = excluded.last_used_at`.execute(db)
}

export async function forgetFamiliar(db: Sql, accountId: string): Promise<void> {
  await db.deleteFrom('familiar_addresses').where('account_id', '=', accountId).execute()
}

// ------------------------------------------------------------------------------------------ links and mails

export type LinkPurpose = 'verify' | 'reset' | 'change_email' | 'newsletter'

export interface NewLink {
  link_id: string
  token_hash: Buffer
  purpose: LinkPurpose
  account_id: string | null
  subscriber_id: string | null
  new_email: string | null
  created_at: Date
  expires_at: Date
}

export async function insertLink(db: Sql, link: NewLink): Promise<void> {
  await db.insertInto('mailed_links').values(link).execute()
}

export interface LinkRow {
  purpose: LinkPurpose
  account_id: string | null
  subscriber_id: string | null
  new_email: string | null
}

/** Takes a link that is still good: nobody can take it twice. */
export async function takeLink(
  db: Sql,
  tokenHash: Buffer,
  purposes: LinkPurpose[],
  now: Date,
): Promise<LinkRow | undefined> {
  const { rows } = await sql<LinkRow>`
    delete from mailed_links
    where token_hash = ${tokenHash} and purpose = any(${purposes}::text[]) and expires_at > ${now}
    returning purpose, account_id, subscriber_id, new_email`.execute(db)
  return rows[0]
}

/** The link as it stands, without taking it. */
export async function findLink(db: Sql, tokenHash: Buffer, now: Date): Promise<LinkRow | undefined> {
  return (await db
    .selectFrom('mailed_links')
    .select(['purpose', 'account_id', 'subscriber_id', 'new_email'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()) as LinkRow | undefined
}

export async function findLinkHash(db: Sql, linkId: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('mailed_links').select('token_hash').where('link_id', '=', linkId).executeTakeFirst()
  return row?.token_hash
}

export async function deleteLinks(db: Sql, accountId: string, purposes: LinkPurpose[]): Promise<void> {
  await db.deleteFrom('mailed_links').where('account_id', '=', accountId).where('purpose', 'in', purposes).execute()
}

/** Forgets a change of the address that is under way, also one whose link is not made yet. */
export async function dropEmailChange(db: Sql, accountId: string): Promise<void> {
  await deleteLinks(db, accountId, ['change_email'])
  await db
    .deleteFrom('outgoing_mails')
    .where('account_id', '=', accountId)
    .where('kind', 'in', ['email_wish', 'change_email'])
    .execute()
}

export interface NewMail {
  mail_id: string
  kind: string
  account_id: string | null
  subscriber_id: string | null
  link_id: string | null
  email: string | null
  data: Record<string, string>
  locale: string
  origin: string
  created_at: Date
}

export async function insertMail(db: Sql, mail: NewMail): Promise<void> {
  await db
    .insertInto('outgoing_mails')
    .values({ ...mail, data: JSON.stringify(mail.data) })
    .execute()
}

export async function findMail(db: Sql, mailId: string): Promise<NewMail | undefined> {
  return (await db
    .selectFrom('outgoing_mails')
    .select([
      'mail_id',
      'kind',
      'account_id',
      'subscriber_id',
      'link_id',
      'email',
      'data',
      'locale',
      'origin',
      'created_at',
    ])
    .where('mail_id', '=', mailId)
    .executeTakeFirst()) as NewMail | undefined
}

/** True for the one that took it; a mail that was split into others is gone. */
export async function deleteMail(db: Sql, mailId: string): Promise<boolean> {
  const { rows } = await sql`delete from outgoing_mails where mail_id = ${mailId} returning 1`.execute(db)
  return rows.length > 0
}

// ------------------------------------------------------------------------------------- Google, newsletter …

export async function insertGoogleFlow(
  db: Sql,
  flow: {
    state_hash: Buffer
    browser_hash: Buffer
    code_verifier: string
    nonce: string
    next: string
    origin: string
    expires_at: Date
  },
): Promise<void> {
  await db.insertInto('google_flows').values(flow).execute()
}

/** Takes the flow of a state, once. */
export async function takeGoogleFlow(db: Sql, stateHash: Buffer, now: Date) {
  const { rows } = await sql<{
    browser_hash: Buffer
    code_verifier: string
    nonce: string
    next: string
    origin: string
  }>`
    delete from google_flows where state_hash = ${stateHash} and expires_at > ${now}
    returning browser_hash, code_verifier, nonce, next, origin`.execute(db)
  return rows[0]
}

export interface GoogleArrival {
  browser_hash: Buffer
  subject: string
  email: string
  email_verified: boolean
  display_name: string
  next: string
  locale: string
}

export async function insertGoogleArrival(
  db: Sql,
  arrival: GoogleArrival & { code_hash: Buffer; expires_at: Date },
): Promise<void> {
  await db.insertInto('google_arrivals').values(arrival).execute()
}

export async function findGoogleArrival(db: Sql, codeHash: Buffer, now: Date): Promise<GoogleArrival | undefined> {
  return db
    .selectFrom('google_arrivals')
    .select(['browser_hash', 'subject', 'email', 'email_verified', 'display_name', 'next', 'locale'])
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** True for the one that took it. */
export async function takeGoogleArrival(db: Sql, codeHash: Buffer): Promise<boolean> {
  const { rows } = await sql`delete from google_arrivals where code_hash = ${codeHash} returning 1`.execute(db)
  return rows.length > 0
}

export async function prolongGoogleArrival(db: Sql, codeHash: Buffer, expiresAt: Date): Promise<void> {
  await sql`
    update google_arrivals set expires_at = greatest(expires_at, ${expiresAt}) where code_hash = ${codeHash}`.execute(
    db,
  )
}

export async function findIdentity(db: Sql, subject: string): Promise<{ account_id: string } | undefined> {
  return db
    .selectFrom('identities')
    .select('account_id')
    .where('provider', '=', 'google')
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function linkIdentity(db: Sql, subject: string, accountId: string, now: Date): Promise<void> {
  await sql`delete from identities where provider = 'google' and account_id = ${accountId}`.execute(db)
  await sql`
    insert into identities (provider, subject, account_id, created_at) values ('google', ${subject}, ${accountId}, ${now})
    on conflict (provider, subject) do update set account_id = excluded.account_id`.execute(db)
}

export async function unlinkIdentities(db: Sql, accountId: string): Promise<void> {
  await db.deleteFrom('identities').where('account_id', '=', accountId).execute()
}

/** The subscriber of the address, made if there was none. */
export async function subscribe(
  db: Sql,
  subscriber: { subscriber_id: string; email: string; email_folded: string; language: AccountLanguage; now: Date },
): Promise<{ subscriber_id: string; confirmed_at: Date | null }> {
  const { rows } = await sql<{ subscriber_id: string; confirmed_at: Date | null }>`
    insert into newsletter_subscribers (subscriber_id, email, email_folded, language, created_at)
    values (${subscriber.subscriber_id}, ${subscriber.email}, ${subscriber.email_folded}, ${subscriber.language},
      ${subscriber.now})
    on conflict (email_folded) do update set language = excluded.language
    returning subscriber_id, confirmed_at`.execute(db)
  return rows[0]!
}

export async function findSubscriber(db: Sql, subscriberId: string) {
  return db
    .selectFrom('newsletter_subscribers')
    .select(['subscriber_id', 'email', 'confirmed_at'])
    .where('subscriber_id', '=', subscriberId)
    .executeTakeFirst()
}

export async function confirmSubscriber(db: Sql, subscriberId: string, now: Date): Promise<void> {
  await sql`
    update newsletter_subscribers set confirmed_at = coalesce(confirmed_at, ${now})
    where subscriber_id = ${subscriberId}`.execute(db)
}

export async function deleteSubscriber(db: Sql, subscriberId: string): Promise<void> {
  await db.deleteFrom('newsletter_subscribers').where('subscriber_id', '=', subscriberId).execute()
}

export async function deleteSubscriberByEmail(db: Sql, emailFolded: string): Promise<void> {
  await db.deleteFrom('newsletter_subscribers').where('email_folded', '=', emailFolded).execute()
}

/** False when this proof of work was handed in before. */
export async function useChallenge(db: Sql, challengeHash: Buffer, expiresAt: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into used_challenges (challenge_hash, expires_at) values (${challengeHash}, ${expiresAt})
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}

export async function insertSecurityEvent(
  db: Sql,
  event: { event_id: string; account_id: string; event: string; request_id: string; at: Date },
): Promise<void> {
  await db.insertInto('security_events').values(event).execute()
}

/** Accounts with a sealed secret, in steps. */
export async function sealedSecrets(db: Sql, after: string | null, limit: number) {
  return db
    .selectFrom('accounts')
    .select(['account_id', 'totp_secret', 'totp_pending'])
    .where((eb) => eb.or([eb('totp_secret', 'is not', null), eb('totp_pending', 'is not', null)]))
    .$if(after !== null, (query) => query.where('account_id', '>', after))
    .orderBy('account_id')
    .limit(limit)
    .execute()
}

/** Replaces a sealed secret by the same one sealed anew, unless it was changed meanwhile. */
export async function replaceSealed(
  db: Sql,
  accountId: string,
  column: 'totp_secret' | 'totp_pending',
  sealed: { before: Buffer; now: Buffer },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ [column]: sealed.now })
    .where('account_id', '=', accountId)
    .where(column, '=', sealed.before)
    .execute()
}

// -------------------------------------------------------------------------------------- export and retention

/** Everything of this room that is kept with the account's id, by table; secrets are left out. */
export async function everythingOf(db: Sql, accountId: string, emailFolded: string) {
  const rowsOf = async (query: ReturnType<typeof sql<Record<string, unknown>>>) => (await query.execute(db)).rows
  return {
    accounts: await rowsOf(sql`
      select account_id, kind, role, email, display_name, language, password_hash is not null as has_password,
        verified_at, business_id, blocked_at, location_consent, default_reminder_min,
        totp_secret is not null as second_factor, deletion_at, accepted_terms_at, created_at
      from accounts where account_id = ${accountId}`),
    sessions: await rowsOf(sql`
      select session_id, device, created_at, last_used_at, expires_at from sessions
      where account_id = ${accountId} order by created_at limit 1000`),
    identities: await rowsOf(sql`
      select provider, subject, created_at from identities where account_id = ${accountId} limit 10`),
    mailed_links: await rowsOf(sql`
      select purpose, new_email, created_at, expires_at from mailed_links
      where account_id = ${accountId} order by created_at limit 1000`),
    outgoing_mails: await rowsOf(sql`
      select kind, email, created_at from outgoing_mails where account_id = ${accountId} limit 1000`),
    recovery_codes: await rowsOf(sql`
      select count(*) as codes_left from recovery_codes where account_id = ${accountId}`),
    familiar_addresses: await rowsOf(sql`
      select encode(address, 'hex') as address_hash, last_used_at from familiar_addresses
      where account_id = ${accountId} limit 1000`),
    security_events: await rowsOf(sql`
      select event, at from security_events where account_id = ${accountId} order by at limit 10000`),
    newsletter_subscribers: await rowsOf(sql`
      select email, language, confirmed_at, created_at from newsletter_subscribers
      where email_folded = ${emailFolded}`),
  }
}

export async function accountsToDelete(db: Sql, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('account_id')
    .where('deletion_at', '<=', now)
    .orderBy('deletion_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.account_id)
}

/** Accounts that nobody has verified since `before`; whether they have content, other rooms know. */
export async function unverifiedAccounts(
  db: Sql,
  before: Date,
  after: { created_at: Date; account_id: string } | null,
  limit: number,
): Promise<AccountRow[]> {
  return (await db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('verified_at', 'is', null)
    .where('role', 'in', ['user', 'business'])
    .where('created_at', '<', before)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(created_at, account_id) > (${after?.created_at}, ${after?.account_id}::uuid)`),
    )
    .orderBy('created_at')
    .orderBy('account_id')
    .limit(limit)
    .execute()) as AccountRow[]
}

/** All that stands with the account goes with it. */
export async function deleteAccount(db: Sql, accountId: string): Promise<void> {
  await db.deleteFrom('accounts').where('account_id', '=', accountId).execute()
}

export async function forgetExpired(
  db: Sql,
  at: { now: Date; mailsBefore: Date; eventsBefore: Date; familiarBefore: Date; unconfirmedBefore: Date },
): Promise<void> {
  await sql`delete from sessions where expires_at <= ${at.now}`.execute(db)
  await sql`delete from mailed_links where expires_at <= ${at.now}`.execute(db)
  await sql`delete from google_flows where expires_at <= ${at.now}`.execute(db)
  await sql`delete from google_arrivals where expires_at <= ${at.now}`.execute(db)
  await sql`delete from used_challenges where expires_at <= ${at.now}`.execute(db)
  await sql`delete from outgoing_mails where created_at < ${at.mailsBefore}`.execute(db)
  await sql`delete from security_events where at < ${at.eventsBefore}`.execute(db)
  await sql`delete from familiar_addresses where last_used_at < ${at.familiarBefore}`.execute(db)
  await sql`
    delete from newsletter_subscribers where confirmed_at is null and created_at < ${at.unconfirmedBefore}`.execute(db)
}

export interface StaffRow {
  email: string
  role: Role
  second_factor: boolean
}

export async function listStaff(db: Sql): Promise<StaffRow[]> {
  const { rows } = await sql<StaffRow>`
    select email, role, totp_secret is not null as second_factor from accounts
    where role in ('moderator', 'admin') order by email limit 1000`.execute(db)
  return rows
}
