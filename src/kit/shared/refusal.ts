/**
 * An expected no. It is declared in a contract, thrown by a rule, turned into `{ error, code, fields? }` by
 * serve-endpoint alone and back into a `CallRefused` by call-endpoint alone.
 */
export interface RefusalKind {
  /** Stable id on the wire, and the key of its text under `refusals` in the message catalogues. */
  readonly code: string
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 503
}

/** What is wrong with a field: the key of its text under `fields` in the message catalogues, and the values of the text. */
export interface Fault {
  readonly key: string
  readonly values?: Record<string, string | number> | undefined
}

export class Refusal extends Error {
  readonly kind: RefusalKind
  /** By name of the field. The first one is what `error` says of `invalid_input`, so that one never comes without. */
  readonly fields: Record<string, Fault> | undefined
  /** Values for the placeholders of the text. */
  readonly values: Record<string, string | number> | undefined
  /** Seconds until another try makes sense; sent as `Retry-After`. */
  readonly retryAfterS: number | undefined

  constructor(
    kind: RefusalKind,
    more: { fields?: Record<string, Fault>; values?: Record<string, string | number>; retryAfterS?: number } = {},
  ) {
    super(kind.code)
    this.name = 'Refusal'
    this.kind = kind
    this.fields = more.fields
    this.values = more.values
    this.retryAfterS = more.retryAfterS
  }
}

/** The refusal of a limit, in seconds for the machine and in the unit that people count in. */
export function tooManyUntil(waitS: number, kind: RefusalKind = tooMany): Refusal {
  const inMinutes = waitS > 90
  const values = { n: inMinutes ? Math.ceil(waitS / 60) : waitS, unit: inMinutes ? 'minute' : 'second' }
  return new Refusal(kind, { retryAfterS: waitS, values })
}

/** Refusals that any endpoint may give. */
export const invalidInput = { code: 'invalid_input', status: 400 } as const satisfies RefusalKind
/** No token, or one that is expired, ended or forged. */
export const unauthenticated = { code: 'unauthenticated', status: 401 } as const satisfies RefusalKind
export const forbidden = { code: 'forbidden', status: 403 } as const satisfies RefusalKind
export const emailUnverified = { code: 'email_unverified', status: 403 } as const satisfies RefusalKind
export const secondFactorRequired = { code: 'second_factor_required', status: 403 } as const satisfies RefusalKind
export const tooLarge = { code: 'too_large', status: 413 } as const satisfies RefusalKind
export const unsupportedMediaType = { code: 'unsupported_media_type', status: 415 } as const satisfies RefusalKind
export const notFound = { code: 'not_found', status: 404 } as const satisfies RefusalKind
export const methodNotAllowed = { code: 'method_not_allowed', status: 405 } as const satisfies RefusalKind
/** The request named a version by `If-Match`, and there is another one by now. */
export const changedMeanwhile = { code: 'changed_meanwhile', status: 409 } as const satisfies RefusalKind
export const tooMany = { code: 'too_many_requests', status: 429 } as const satisfies RefusalKind
export const unavailable = { code: 'unavailable', status: 503 } as const satisfies RefusalKind

/** What a refused call carries to a screen. `status` 0: no answer came at all (offline, unreadable). */
export interface RefusedAnswer {
  status: number
  code: string
  /** Text for people. */
  error: string
  fields?: Record<string, string>
}

/** Without an answer, or with one that says that now is no time: the same may be taken a moment later. */
export const isForLater = ({ status }: { status?: number | undefined }): boolean =>
  status === 0 || status === 429 || (status ?? 0) >= 500

/** A refused or failed call, on either side of the wire. The server bundle holds a second copy: tell it by `refusedAnswer`. */
export class CallRefused extends Error {
  readonly answer: RefusedAnswer

  constructor(answer: RefusedAnswer) {
    super(answer.error)
    this.name = 'CallRefused'
    this.answer = answer
  }
}

/** The refusal an error carries, told by name and not by identity; null for anything else. */
export function refusedAnswer(error: unknown): RefusedAnswer | null {
  if (error instanceof Error && error.name === 'CallRefused') return (error as CallRefused).answer
  return null
}
