/**
 * A kind of expected refusal. A contract declares the kind, and a rule throws it in a `Refusal`. Only refusal-answer turns a `Refusal`
 * into the answer `{ error, code, fields? }`, and only call-endpoint turns such an answer into a `CallRefused`.
 */
export interface RefusalKind {
  /** Stable id in answers, and the key of its text under `refusals` in the message catalogues. */
  readonly code: string
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 503
}

/** An input error of a field: the key of its text under `fields` in the message catalogues, and the text's values. */
export interface Fault {
  readonly key: string
  readonly values?: Record<string, string | number> | undefined
}

export class Refusal extends Error {
  readonly kind: RefusalKind
  /** Faults by field name. `invalid_input` always has at least one: its `error` is about the first field. */
  readonly fields: Record<string, Fault> | undefined
  /** Values for the placeholders of the text. */
  readonly values: Record<string, string | number> | undefined
  /** Seconds until a retry makes sense; sent as `Retry-After`. */
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

/** Refusal by a rate limit: `Retry-After` in seconds, the text in seconds or minutes. */
export function tooManyUntil(waitS: number, kind: RefusalKind = tooMany): Refusal {
  const inMinutes = waitS > 90
  const values = { n: inMinutes ? Math.ceil(waitS / 60) : waitS, unit: inMinutes ? 'minute' : 'second' }
  return new Refusal(kind, { retryAfterS: waitS, values })
}

// refusals that any endpoint may give

export const invalidInput = { code: 'invalid_input', status: 400 } as const satisfies RefusalKind
/** The session token is missing, expired or forged, or its session was ended. */
export const unauthenticated = { code: 'unauthenticated', status: 401 } as const satisfies RefusalKind
export const forbidden = { code: 'forbidden', status: 403 } as const satisfies RefusalKind
export const emailUnverified = { code: 'email_unverified', status: 403 } as const satisfies RefusalKind
export const secondFactorRequired = { code: 'second_factor_required', status: 403 } as const satisfies RefusalKind
export const tooLarge = { code: 'too_large', status: 413 } as const satisfies RefusalKind
export const unsupportedMediaType = { code: 'unsupported_media_type', status: 415 } as const satisfies RefusalKind
export const notFound = { code: 'not_found', status: 404 } as const satisfies RefusalKind
export const methodNotAllowed = { code: 'method_not_allowed', status: 405 } as const satisfies RefusalKind
/** The thing was changed meanwhile: the version in `If-Match` is not the current one. */
export const changedMeanwhile = { code: 'changed_meanwhile', status: 409 } as const satisfies RefusalKind
export const tooMany = { code: 'too_many_requests', status: 429 } as const satisfies RefusalKind
export const unavailable = { code: 'unavailable', status: 503 } as const satisfies RefusalKind

/** A refusal as screens get it. `status` 0: no readable answer (offline). */
export interface RefusedAnswer {
  status: number
  code: string
  /** Text to show to people; may be empty. */
  error: string
  fields?: Record<string, string>
}

/** Whether a retry may succeed: no answer (0), too many requests (429), or a failure of the server. */
export const isTemporary = ({ status = 400 }: { status?: number | undefined }): boolean => status === 0 || status >= 429

/** A refused or failed call. `instanceof` can fail, because the server bundle has its own copy of the class: use `refusedAnswer`. */
export class CallRefused extends Error {
  readonly answer: RefusedAnswer

  constructor(answer: RefusedAnswer) {
    super(answer.error)
    this.name = 'CallRefused'
    this.answer = answer
  }
}

/** The answer of a `CallRefused`, recognised by name because its class exists twice; null for other errors. */
export function refusedAnswer(error: unknown): RefusedAnswer | null {
  if (error instanceof Error && error.name === 'CallRefused') return (error as CallRefused).answer
  return null
}
