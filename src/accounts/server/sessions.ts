import { createHash, randomBytes } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import type { Gate, Who } from '../../kit/server/serve-endpoint.ts'
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
  type Role,
  type SessionPair,
} from '../contract.ts'
import { deviceOf } from './device.ts'
import { noteEvent, type AccountRoom } from './room.ts'
import * as store from './store.ts'

const issuer = 'rheinklang'
const audience = 'api'
/** Marks the one kind of token that opens the API, so that no other kind can stand in for it (RFC 9068). */
const tokenType = 'at+jwt'
/** A token of another instance, whose clock may be ahead by this much, must not look as if it came from the future. */
const clocksDifferS = 60
const sessionsAtMost = 100

type Clocked = Pick<AccountRoom, 'clock' | 'keyring'>
export interface SessionOwner {
  account_id: string
  role: Role
  business_id: string | null
  /** With which the owner proved to be there; null: there is none. */
  password_hash: string | null
}

/**
 * Begins a session for an account whose owner has just proved to be there. Null when it has another password since, or is
 * blocked: a login that was on its way while somebody shut all others out stays outside too.
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

/** Decides who a bearer token belongs to. Nothing is remembered between calls: an ended session is dead at the next one. */
export function createGate(room: Pick<AccountRoom, 'db' | 'clock' | 'keyring' | 'settings'>): Gate {
  return {
    async whoIs(token): Promise<Who | null> {
      const claims = await readToken(room, token)
      if (!claims) return null
      const row = await store.whoIsInSession(room.db, claims.sessionId, claims.accountId, asDate(room.clock.now()))
      return (
        (row && {
          accountId: row.account_id,
          role: row.role,
          businessId: row.business_id,
          sessionId: claims.sessionId,
          verified: row.verified,
          mustVerify: room.settings.requireVerifiedEmail && !row.verified,
          lacksSecondFactor: row.lacks_second_factor,
        }) ??
        null
      )
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
    // whatever is wrong with it, it is no token of ours
    return null
  }
}

/**
 * A new pair for a refresh token. Each token has exactly one successor, made from it with the installation's key: tabs that
 * refresh together get the same one, and so does a browser that never got the answer; whoever comes later with a used one is
 * found out. That ends the session.
 * @throws session_ended
 */
export async function refreshSession(room: AccountRoom, refreshToken: string, requestId: string): Promise<SessionPair> {
  const { db, clock } = room
  const now = clock.now()
  const outcome = await db.transaction().execute(async (trx) => {
    const row = await store.lockRefreshToken(trx, hashToken(refreshToken))
    if (!row || row.expires_at <= asDate(now) || row.blocked_at) return null
    // read again under the lock: another tab may just have used it
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
    // late by some seconds: the newest of the chain, which another tab may have moved on meanwhile
    let last = refreshToken
    for (let step = 0; step < 20; step++) {
      const next = await madeSuccessor(room, trx, last)
      if (!next) return null
      if (next.used_at === null) return { row, next: next.token }
      last = next.token
    }
    return null
  })
  if (!outcome) throw new Refusal(sessionEnded)
  const { row, next } = outcome
  return {
    authToken: await accessToken(room, row.account_id, row.session_id),
    refreshToken: next,
    ...whatOwnerIs(row),
  }
}

/** What may follow a token: by today's key, and by keys before it. */
function successors({ keyring }: Clocked, refreshToken: string): string[] {
  return keyring.macs('refresh tokens', refreshToken).map((mac) => mac.toString('base64url'))
}

/** The one of them that was made. */
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

/** Ends the session that asks, and the one of the refresh token. */
export async function logOut(
  room: AccountRoom,
  wish: { who: Who | null; refreshToken: string | undefined; requestId: string },
): Promise<null> {
  const { db } = room
  const ends: { accountId: string; sessionId: string }[] = wish.who ? [wish.who] : []
  const row = wish.refreshToken ? await store.lockRefreshToken(db, hashToken(wish.refreshToken)) : undefined
  if (row && row.session_id !== wish.who?.sessionId) ends.push({ accountId: row.account_id, sessionId: row.session_id })
  for (const { accountId, sessionId } of ends) {
    if (await store.endSession(db, accountId, sessionId))
      room.log.note({ event: 'logout', actor: accountId, requestId: wish.requestId })
  }
  return null
}

export async function listSessions({ db, clock }: AccountRoom, who: Who) {
  const rows = await store.listSessions(db, who.accountId, asDate(clock.now()))
  return rows.map((row) => ({
    session_id: row.session_id,
    current: row.session_id === who.sessionId,
    browser: row.browser,
    system: row.system,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }))
}

/** Throws `session_not_found`, also for a session of somebody else. */
export async function endSession(room: AccountRoom, who: Who, sessionId: string, requestId: string): Promise<null> {
  if (!isUuid(sessionId) || !(await store.endSession(room.db, who.accountId, sessionId)))
    throw new Refusal(sessionNotFound)
  await noteEvent(room, room.db, { event: 'session_ended', accountId: who.accountId, requestId })
  return null
}

export async function endOtherSessions(room: AccountRoom, who: Who, requestId: string): Promise<null> {
  await store.endSessions(room.db, who.accountId, who.sessionId)
  await noteEvent(room, room.db, { event: 'other_sessions_ended', accountId: who.accountId, requestId })
  return null
}
