import { invalidInput, Refusal, type Fault } from '../shared/refusal.ts'
import { isDatabaseUnavailable } from './database.ts'
import { SealedOtherwise } from './keyring.ts'
import { FilesUnavailable } from './uploads.ts'

/** Translated texts; the app makes them from the message catalogues. */
export interface Texts {
  refusal(locale: string, code: string, values?: Record<string, string | number>): string
  /** Short error to show beside a field. */
  field(locale: string, fault: Fault): string
  /** The same error as a whole sentence that names the field. `name`: key of `fields`, e.g. `active_days.0`. */
  sentence(locale: string, name: string, fault: Fault): string
  /** Any other text, by its full key. */
  say(locale: string, key: string, values?: Record<string, string | number>): string
}

/** Turns any thrown error into status, `Retry-After` and the body `{ error, code, fields? }`. `expected` false: log it. */
export function refusalAnswer(error: unknown, texts: Texts, locale: string) {
  if (error instanceof Refusal) {
    const { kind, fields, retryAfterS } = error
    return {
      status: kind.status as number,
      retryAfterS: retryAfterS ?? (kind.status === 503 ? 2 : undefined),
      body: {
        error: errorOf(error, texts, locale),
        code: kind.code as string,
        ...(fields ? { fields: textsOf(fields, texts, locale) } : {}),
      },
      expected: true,
    }
  }
  if (isDatabaseUnavailable(error) || error instanceof FilesUnavailable || error instanceof SealedOtherwise) {
    const body = { error: texts.refusal(locale, 'unavailable'), code: 'unavailable' }
    return { status: 503, retryAfterS: 2, body, expected: false }
  }
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status >= 400 && status < 500) {
    // 4xx errors of Fastify: malformed JSON, a body too large, an unknown media type …
    const code = frameworkCodes[status] ?? 'bad_request'
    const text = unreadable[(error as { code?: string }).code ?? ''] ?? code
    return { status, retryAfterS: undefined, body: { error: texts.refusal(locale, text), code }, expected: true }
  }
  const body = { error: texts.refusal(locale, 'internal_error'), code: 'internal_error' }
  return { status: 500, retryAfterS: undefined, body, expected: false }
}

/** For invalid input: the error of the first wrong field. All other refusals have their own text. */
function errorOf({ kind, fields = {}, values }: Refusal, texts: Texts, locale: string): string {
  const [first] = Object.entries(fields)
  return first && kind.code === invalidInput.code
    ? texts.sentence(locale, ...first)
    : texts.refusal(locale, kind.code, values)
}

const textsOf = (fields: Record<string, Fault>, texts: Texts, locale: string) =>
  Object.fromEntries(Object.entries(fields).map(([name, fault]) => [name, texts.field(locale, fault)]))

/** Fastify's code for unreadable requests -> key of the text under `refusals`. */
const unreadable: Record<string, string> = {
  FST_ERR_BAD_URL: 'address_unreadable',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'json_missing',
  FST_ERR_CTP_INVALID_JSON_BODY: 'json_unreadable',
}

const frameworkCodes: Record<number, string> = {
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  431: 'too_large',
}
