import type { Answer, AnyEndpoint, Call, CallAs, CallInput, Operation, TypedInput } from '../shared/endpoint.ts'
import { CallRefused } from '../shared/refusal.ts'
import { noteAnswer } from './connection.ts'
import { cachedAtHeader } from './offline-caches.ts'
import { isObject, number } from './reading.ts'
import { bearer, credentials, isTokenRefused } from './credentials.ts'

const timeoutMs = 15_000
/** A photo takes long over a crowded network. */
const uploadTimeoutMs = 90_000

/** `callByFetch` with another `note`: called with each answer (null: none came) instead of updating the connection. */
export function callNoting(note: typeof noteAnswer): Call {
  return async <E extends AnyEndpoint>(operation: Operation<E>, input?: CallInput<E> | TypedInput) => {
    const response = await request(operation, input, note)
    const answer = await jsonOf(response)
    if (!response.ok || answer === undefined) throw new CallRefused(refusal(response, answer))
    const total = response.headers.get('x-total-count')
    const cachedAt = Date.parse(response.headers.get(cachedAtHeader) ?? '')
    return {
      body: answer,
      total: number(total) ?? null,
      totalCapped: response.headers.get('x-total-capped') === 'true',
      guessed: response.headers.get('x-search-guessed') === 'true',
      next: cursor(response, 'next', 'after'),
      prev: cursor(response, 'prev', 'before'),
      cachedAt: Number.isNaN(cachedAt) ? null : new Date(cachedAt).toISOString(),
    } as Answer<E>
  }
}

/** The JSON of a response; null if it is empty, undefined if it is not JSON, such as the page of a proxy. */
export const jsonOf = (response: Response): Promise<unknown> =>
  response
    .text()
    .then((text) => JSON.parse(text.trim() || 'null') as unknown)
    .catch(() => undefined)

/**
 * Calls the API by `fetch`. A call has succeeded if its status says so and its body is JSON or empty; `ask` reads the body.
 * With `as` the token is sent too, and renewed silently when it has expired.
 * @throws `CallRefused` with the server's `error`, whatever the status. Without a readable one `error` is '' and the screen
 *   shows a text of its own; `status` is 0 where no answer came.
 */
export const callByFetch = callNoting(noteAnswer)

interface Input {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: Record<string, unknown>
  files?: Record<string, Blob>
  ifMatch?: string
  idempotencyKey?: string
  as?: CallAs
}

/**
 * Sends a call, with the token if it has `as`. If the server refuses the token, renews it and sends the call once more.
 * @throws `CallRefused` rather than return the answer for guests to somebody who is logged in
 */
export async function request(operation: string, input: unknown, note = noteAnswer): Promise<Response> {
  const { as, ...given } = (input ?? {}) as Input
  const session = credentials()
  const token = as ? session.token() : null
  const response = await send(operation, given, token, note)
  if (!as || token === null || !isTokenRefused(response)) return response
  const renewal = await session.renew(token)
  if (renewal === 'renewed') return send(operation, given, session.token(), note)
  if (renewal === 'unreachable') throw new CallRefused(offline)
  if (renewal === 'ended' && as === 'action') session.end()
  if (response.status === 401) return response
  throw new CallRefused({ ...offline, status: 401, code: 'unauthenticated' })
}

async function send(
  operation: string,
  { params, query, body, files, ifMatch, idempotencyKey }: Input,
  token: string | null,
  note: typeof noteAnswer,
): Promise<Response> {
  const [method = '', path = ''] = operation.split(' ')
  const json = body !== undefined && !files
  try {
    const answer = await fetch(address(path, params, query), {
      method,
      headers: {
        ...(json ? { 'content-type': 'application/json' } : {}),
        ...(ifMatch ? { 'if-match': `"${ifMatch}"` } : {}),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        ...bearer(token),
      },
      ...(files ? { body: form(body, files) } : json ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(files ? uploadTimeoutMs : timeoutMs),
    })
    note(answer)
    return answer
  } catch {
    note(null)
    throw new CallRefused(offline)
  }
}

const offline = { status: 0, code: 'offline', error: '' }

function form(body: Record<string, unknown> | undefined, files: Record<string, Blob>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(body ?? {}))
    if (value !== undefined && value !== null) data.set(name, String(value))
  for (const [name, file] of Object.entries(files)) data.set(name, file)
  return data
}

function address(path: string, params?: Record<string, unknown>, query?: Record<string, unknown>): string {
  const [address, view] = path.split('?')
  const filled = address!.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')))
  const search = new URLSearchParams(view)
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `${filled}?${text}` : filled
}

export function refusal({ ok, status }: Response, answer: unknown) {
  const { error, code, fields } = isObject(answer) ? answer : {}
  return {
    // 502, as of a gateway: a retry may succeed, so drafts and the outbox keep what was to be sent
    status: ok ? 502 : status,
    code: typeof code === 'string' ? code : 'unreadable',
    error: typeof error === 'string' ? error : '',
    ...(isObject(fields) && { fields: textsOf(fields) }),
  }
}

const textsOf = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'))

function cursor({ headers }: Response, rel: string, name: string): string | null {
  const target = new RegExp(`<([^>]+)>;\\s*rel="?${rel}`).exec(headers.get('link') ?? '')?.[1]
  return new URLSearchParams(target?.split('?')[1]).get(name) || null
}
