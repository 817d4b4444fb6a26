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

/** Who a living token belongs to, as far as access depends on it; what else is known of them, the room that knows adds. */
export interface Who {
  /** As in the `access` of contracts. */
  role: string
  /** The e-mail address is confirmed. */
  verified: boolean
  /** It is not, and the operator demands that it is. */
  mustVerify: boolean
  /** Must have a second factor and has none yet. */
  lacksSecondFactor: boolean
}

/** Tells who asks; handed in by the app. */
export interface Gate {
  /** Null for a token that is expired, ended, forged or of another kind. */
  whoIs(token: string): Promise<Who | null>
}

/** What a 401 asks for, and what an answer to everybody says where the token that was sent counted as none. */
export const challenge = (token: string | null) => (token === null ? 'Bearer' : 'Bearer error="invalid_token"')

/** The token of `Authorization: Bearer …`; null when none was sent, empty when it cannot be one. */
export function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined || header.trim() === '') return null
  return /^Bearer +([\w.~+/=-]{1,2000}) *$/i.exec(header)?.[1] ?? ''
}

/**
 * The one place where `access` is decided.
 * @throws unauthenticated (401), forbidden, email_unverified, second_factor_required (403)
 */
export async function admit(
  access: Access,
  token: string | null,
  gate: Gate,
  /** Told who it is also when the answer is no. */
  tell: (who: Who | null) => void = () => {},
): Promise<Who | null> {
  if (access === 'public') return null
  const known = token ? await gate.whoIs(token) : null
  const who = known && access === 'noticed' ? withRights(known) : known
  tell(who)
  if (access === 'noticed') return who
  if (!who) throw new Refusal(unauthenticated)
  if (!access.roles.includes(who.role)) throw new Refusal(forbidden)
  if (who.lacksSecondFactor && !access.beforeSecondFactor) throw new Refusal(secondFactorRequired)
  if (access.verified && who.mustVerify) throw new Refusal(emailUnverified)
  return who
}

/** Where anybody may ask: who lacks the second factor that their role demands is known, and has no rights of that role. */
const withRights = (who: Who): Who => (who.lacksSecondFactor ? { ...who, role: '' } : who)

/** The refusals that an access may give by itself. */
export function refusalsOf(access: Access): RefusalKind[] {
  if (access === 'public' || access === 'noticed') return []
  return [
    unauthenticated,
    forbidden,
    ...(access.beforeSecondFactor ? [] : [secondFactorRequired]),
    ...(access.verified ? [emailUnverified] : []),
  ]
}
