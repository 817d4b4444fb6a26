import { sql, type Selectable } from 'kysely'
import type { DB } from '../../../database-types.ts'
import type { Sql } from '../../../kit/server/database.ts'
import type { Caller } from '../../../kit/server/serve-endpoint.ts'
import { query } from '../../../kit/server/statement.ts'
import type { AnswerBody } from '../../../kit/shared/endpoint.ts'
import type { listSessions as listSessionsEndpoint, Role } from '../../contract.ts'

/** Owner of a valid session. Runs at every call with a token: two lookups by primary key. */
export async function whoIsInSession(
  db: Sql,
  sessionId: string,
  accountId: string,
  now: Date,
): Promise<Omit<Caller, 'mustVerify'> | undefined> {
  const { rows } = await sql<Omit<Caller, 'mustVerify'>>`
    select a.account_id as "accountId", a.role, a.business_id as "businessId", s.session_id as "sessionId",
      a.verified_at is not null as verified,
      a.role in ('moderator', 'admin') and a.totp_secret is null as "lacksSecondFactor"
    from sessions s join accounts a using (account_id)
    where s.session_id = ${sessionId} and a.account_id = ${accountId} and s.expires_at > ${now}
      and a.blocked_at is null`.execute(db)
  return rows[0]
}

/**
 * Starts a session with its first refresh token. Ends the sessions unused for longest if there are more than `atMost`.
 * Waits for a running change of the account. @returns false: the password was changed meanwhile, or the account is blocked
 */
export async function insertSession(
  db: Sql,
  session: Selectable<DB['sessions']> & { password_hash: string | null; token_hash: Buffer },
  atMost: number,
): Promise<boolean> {
  const { rows } = await sql`
    with owner as (
      select account_id from accounts
      where account_id = ${session.account_id} and blocked_at is null
        and password_hash is not distinct from ${session.password_hash}
      for share
    ),
    begun as (
      insert into sessions (session_id, account_id, browser, system, created_at, last_used_at, expires_at)
      select ${session.session_id}::uuid, account_id, ${session.browser}::text, ${session.system}::text,
        ${session.created_at}::timestamptz, ${session.last_used_at}::timestamptz, ${session.expires_at}::timestamptz
      from owner
      returning session_id
    ),
    surplus as (
      delete from sessions where session_id in (
        select session_id from sessions where account_id = ${session.account_id}
        order by last_used_at desc offset ${atMost - 1} limit 100)
    )
    insert into refresh_tokens (token_hash, session_id, issued_at)
    select ${session.token_hash}::bytea, session_id, ${session.created_at}::timestamptz from begun
    returning 1`.execute(db)
  return rows.length > 0
}

interface RefreshRow {
  session_id: string
  expires_at: Date
  session_created_at: Date
  account_id: string
  role: Role
  business_id: string | null
  blocked_at: Date | null
}

/** Locks the session of a token until the transaction ends, so that two tabs refresh one after the other. */
export async function lockRefreshToken(db: Sql, tokenHash: Buffer): Promise<RefreshRow | undefined> {
  const { rows } = await sql<RefreshRow>`
    select t.session_id, s.expires_at, s.created_at as session_created_at,
      a.account_id, a.role, a.business_id, a.blocked_at
    from refresh_tokens t join sessions s using (session_id) join accounts a using (account_id)
    where t.token_hash = ${tokenHash}
    for update of s`.execute(db)
  return rows[0]
}

/** Whether a token exists, and was used. */
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

/** The account's valid sessions, latest used first, in the shape of the API's answer. */
export async function listSessions(db: Sql, { accountId, sessionId }: Caller, now: Date) {
  return query<AnswerBody<typeof listSessionsEndpoint>[number]>(
    db,
    `select session_id, session_id = $sessionId::uuid as current, browser, system, created_at, last_used_at, expires_at
    from sessions where account_id = $accountId and expires_at > $now
    order by last_used_at desc, session_id desc limit 100`,
    { accountId, sessionId, now },
  )
}

/** @returns false: the account has no such session */
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
