import { createHash, randomBytes } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Gate, Caller } from '../../kit/server/serve-endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import {
  accessTokenMinutes,
  lostAnswerSeconds,
  refreshGraceSeconds,
  sessionDays,
  sessionEnded,
  sessionIdleDays,
  sessionNotFound,
  type SessionPair,
} from '../contract.ts'
import { deviceOf } from './device.ts'
import { noteEvent, type AccountRoom } from './room.ts'
import * as store from './store.ts'

const issuer = 'rheinklang'
const audience = 'api'
/** Type of access tokens (RFC 9068): no other kind of token is accepted in their place. */
const tokenType = 'at+jwt'
/** Clocks of instances may differ by this much: a token of another instance must not look issued in the future. */
const clocksDifferS = 60
const sessionsAtMost = 100

type Clocked = Pick<AccountRoom, 'clock' | 'keyring'>
/** `password_hash`: the one that the owner's password was checked against; null: the account has none. */
type SessionOwner = Pick<store.AccountRow, 'account_id' | 'role' | 'business_id' | 'password_hash'>

/**
 * Starts a session for a proven owner. @returns null: the password has changed since, or the account is blocked. So a login that
 * was under way when all sessions were ended does not slip in.
 */
export async function startSession(
  room: Clocked,
  db: Sql,
  owner: SessionOwner,
  userAgent: string,
): Promise<SessionPair | null> {
  const now = room.clock.now()
  const sessionId = newId()
  const refreshToken = randomBytes(32).toString('base64url')
  const begun = await store.insertSession(
    db,
    {
      session_id: sessionId,
      account_id: owner.account_id,
      password_hash: owner.password_hash,
      ...deviceOf(userAgent),
      created_at: asDate(now),
      last_used_at: asDate(now),
      expires_at: asDate(now.add({ hours: sessionIdleDays * 24 })),
      token_hash: hashToken(refreshToken),
    },
    sessionsAtMost,
  )
  if (!begun) return null
  return { authToken: await accessToken(room, owner.account_id, sessionId), refreshToken, ...whatOwnerIs(owner) }
}

function whatOwnerIs({ account_id, role, business_id }: Pick<SessionOwner, 'account_id' | 'role' | 'business_id'>) {
  return { userType: role, ...(business_id ? { businessId: business_id } : {}), accountId: account_id }
}

async function accessToken({ clock, keyring }: Clocked, accountId: string, sessionId: string): Promise<string> {
  const now = Math.floor(clock.now().epochMilliseconds / 1000)
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: tokenType })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(accountId)
    .setIssuedAt(now - clocksDifferS)
    .setExpirationTime(now + accessTokenMinutes * 60)
    .sign(keyring.keyFor('access tokens'))
}

/** Finds the owner of a bearer token. Nothing is cached: an ended session is refused at the next call. */
export function createGate(room: Pick<AccountRoom, 'db' | 'clock' | 'keyring' | 'settings'>): Gate {
  return {
    async whoIs(token): Promise<Caller | null> {
      const claims = await readToken(room, token)
      if (!claims) return null
      const who = await store.whoIsInSession(room.db, claims.sessionId, claims.accountId, asDate(room.clock.now()))
      return who ? { ...who, mustVerify: room.settings.requireVerifiedEmail && !who.verified } : null
    },
  }
}

async function readToken(room: Clocked, token: string) {
  for (const key of room.keyring.keysFor('access tokens')) {
    const claims = await readTokenBy(key, room, token)
    if (claims) return claims
  }
  return null
}

async function readTokenBy(key: Buffer, { clock }: Clocked, token: string) {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      typ: tokenType,
      issuer,
      audience,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
      maxTokenAge: clocksDifferS + accessTokenMinutes * 60,
      currentDate: asDate(clock.now()),
    })
    const { sub, sid } = payload
    if (typeof sub !== 'string' || typeof sid !== 'string' || !isUuid(sub) || !isUuid(sid)) return null
    return { accountId: sub, sessionId: sid }
  } catch {
    // Invalid in any way: not our token.
    return null
  }
}

/**
 * A new pair for a refresh token. Each token has exactly one successor, derived from it with the installation's key, so tabs that
 * refresh together get the same pair, and so does a browser that did not get the answer. A used token that comes later was
 * probably stolen: the session ends.
 * @throws `session_ended`
 */
export async function refreshSession(room: AccountRoom, refreshToken: string, requestId: string): Promise<SessionPair> {
  const { db, clock } = room
  const now = clock.now()
  const refreshed = await db.transaction().execute(async (trx) => {
    const row = await store.lockRefreshToken(trx, hashToken(refreshToken))
    if (!row || row.expires_at <= asDate(now) || row.blocked_at) return null
    // Read again under the lock: another tab may just have used it.
    const used = (await store.findRefreshToken(trx, hashToken(refreshToken)))?.used_at ?? null
    if (used === null) {
      const next = successors(room, refreshToken)[0]!
      const idleEnd = now.add({ hours: sessionIdleDays * 24 }).epochMilliseconds
      const end = row.session_created_at.getTime() + sessionDays * 24 * 3_600_000
      await store.rotateRefreshToken(trx, {
        sessionId: row.session_id,
        used: hashToken(refreshToken),
        next: hashToken(next),
        now: asDate(now),
        expiresAt: new Date(Math.min(idleEnd, end)),
      })
      return { row, next }
    }
    const usedForMs = now.epochMilliseconds - used.getTime()
    const direct = await madeSuccessor(room, trx, refreshToken)
    if (direct?.used_at === null && usedForMs <= lostAnswerSeconds * 1000) return { row, next: direct.token }
    if (usedForMs > refreshGraceSeconds * 1000) {
      await store.endSession(trx, row.account_id, row.session_id)
      await noteEvent(room, trx, { event: 'refresh_token_reused', accountId: row.account_id, requestId })
      return null
    }
    // Some seconds late: give the newest token of the chain, which another tab may have moved on.
    let last = refreshToken
    for (let step = 0; step < 20; step++) {
      const next = await madeSuccessor(room, trx, last)
      if (!next) return null
      if (next.used_at === null) return { row, next: next.token }
      last = next.token
    }
    return null
  })
  if (!refreshed) throw new Refusal(sessionEnded)
  const { row, next } = refreshed
  return {
    authToken: await accessToken(room, row.account_id, row.session_id),
    refreshToken: next,
    ...whatOwnerIs(row),
  }
}

/** Possible successors of a token: by the current key, then by earlier ones. */
function successors({ keyring }: Clocked, refreshToken: string): string[] {
  return keyring.macs('refresh tokens', refreshToken).map((mac) => mac.toString('base64url'))
}

/** The successor that exists; null: the token was not refreshed yet. */
async function madeSuccessor(room: Clocked, db: Sql, refreshToken: string) {
  for (const token of successors(room, refreshToken)) {
    const state = await store.findRefreshToken(db, hashToken(token))
    if (state) return { token, used_at: state.used_at }
  }
  return null
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Ends the session of the request, and that of the refresh token. */
export async function logOut(
  room: AccountRoom,
  given: { who: Caller | null; refreshToken: string | undefined; requestId: string },
): Promise<null> {
  const { db } = room
  const ends: { accountId: string; sessionId: string }[] = given.who ? [given.who] : []
  const row = given.refreshToken ? await store.lockRefreshToken(db, hashToken(given.refreshToken)) : undefined
  if (row && row.session_id !== given.who?.sessionId)
    ends.push({ accountId: row.account_id, sessionId: row.session_id })
  for (const { accountId, sessionId } of ends) {
    if (await store.endSession(db, accountId, sessionId))
      room.log.note({ event: 'logout', actor: accountId, requestId: given.requestId })
  }
  return null
}

export async function listSessions({ db, clock }: AccountRoom, who: Caller) {
  return store.listSessions(db, who, asDate(clock.now()))
}

/** @throws `session_not_found`, also for a session of another account */
export async function endSession(room: AccountRoom, who: Caller, sessionId: string, requestId: string): Promise<null> {
  if (!isUuid(sessionId) || !(await store.endSession(room.db, who.accountId, sessionId)))
    throw new Refusal(sessionNotFound)
  await noteEvent(room, room.db, { event: 'session_ended', accountId: who.accountId, requestId })
  return null
}

export async function endOtherSessions(room: AccountRoom, who: Caller, requestId: string): Promise<null> {
  await store.endSessions(room.db, who.accountId, who.sessionId)
  await noteEvent(room, room.db, { event: 'other_sessions_ended', accountId: who.accountId, requestId })
  return null
}
