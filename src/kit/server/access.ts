import type { FastifyRequest } from 'fastify'
import type { Access } from '../shared/endpoint.ts'
import {
  emailUnverified,
  forbidden,
  Refusal,
  secondFactorRequired,
  unauthenticated,
  type RefusalKind,
} from '../shared/refusal.ts'

/** The owner of a valid token, as far as access depends on it. The accounts room adds more fields. */
export interface Caller {
  /** As in the `access` of contracts. */
  role: string
  /** The email address is confirmed. */
  verified: boolean
  /** The email address is not confirmed, and the operator demands it. */
  mustVerify: boolean
  /** The role demands a second factor, and none is set up. */
  lacksSecondFactor: boolean
}

/** Identifies callers; given by the app. */
export interface Gate {
  /** Null for a token that is expired, ended, forged or of another kind. */
  whoIs(token: string): Promise<Caller | null>
}

/** `WWW-Authenticate` of a 401, and of a public answer to a caller whose token was invalid. */
export const challenge = (token: string | null) => (token === null ? 'Bearer' : 'Bearer error="invalid_token"')

/** The token of `Authorization: Bearer …`; null: none was sent; '': it is malformed. */
export function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined || header.trim() === '') return null
  return /^Bearer +([\w.~+/=-]{1,2000}) *$/i.exec(header)?.[1] ?? ''
}

/** The one place where `access` is decided. @throws unauthenticated (401), forbidden, email_unverified, second_factor_required (403) */
export async function admit(
  access: Access,
  token: string | null,
  gate: Gate,
  /** Gets the caller before a refusal is thrown. */
  onCaller: (who: Caller | null) => void = () => {},
): Promise<Caller | null> {
  if (access === 'public') return null
  const known = token ? await gate.whoIs(token) : null
  const who = known && access === 'noticed' ? withRights(known) : known
  onCaller(who)
  if (access === 'noticed') return who
  if (!who) throw new Refusal(unauthenticated)
  if (!access.roles.includes(who.role)) throw new Refusal(forbidden)
  if (who.lacksSecondFactor && !access.beforeSecondFactor) throw new Refusal(secondFactorRequired)
  if (access.verified && who.mustVerify) throw new Refusal(emailUnverified)
  return who
}

/** For `noticed` endpoints: a caller without a required second factor is known, but has no role. */
const withRights = (who: Caller): Caller => (who.lacksSecondFactor ? { ...who, role: '' } : who)

/** The refusals that an `access` adds to those of the contract. */
export function refusalsOf(access: Access): RefusalKind[] {
  if (access === 'public' || access === 'noticed') return []
  return [
    unauthenticated,
    forbidden,
    ...(access.beforeSecondFactor ? [] : [secondFactorRequired]),
    ...(access.verified ? [emailUnverified] : []),
  ]
}
