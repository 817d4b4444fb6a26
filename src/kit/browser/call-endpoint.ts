import type { Answer, AnyEndpoint, Call, CallAs, CallInput, Operation, TypedInput } from '../shared/endpoint.ts'
import { CallRefused } from '../shared/refusal.ts'
import { noteAnswer } from './connection.ts'
import { isObject, number } from './reading.ts'
import { bearer, credentials, isTokenRefused } from './credentials.ts'

const timeoutMs = 15_000
/** A photo over a crowded network takes its time. */
const uploadTimeoutMs = 90_000

/** The API by `fetch`, as `callByFetch`; `note` hears of each answer (null: none came) in place of the line that tells of the network. */
export function callNoting(note: typeof noteAnswer): Call {
  return async <E extends AnyEndpoint>(operation: Operation<E>, input?: CallInput<E> | TypedInput) => {
    const response = await request(operation, input, note)
    const answer = await jsonOf(response)
    if (!response.ok || answer === undefined) throw new CallRefused(refusal(response, answer))
    const total = response.headers.get('x-total-count')
    return {
      body: answer,
      total: number(total) ?? null,
      totalCapped: response.headers.get('x-total-capped') === 'true',
      guessed: response.headers.get('x-search-guessed') === 'true',
      next: cursor(response, 'next', 'after'),
      prev: cursor(response, 'prev', 'before'),
    } as Answer<E>
  }
}

/** The JSON of an answer, null where it is empty; undefined where it is anything else, such as the page of a proxy. */
export const jsonOf = (response: Response): Promise<unknown> =>
  response
    .text()
    .then((text) => JSON.parse(text.trim() || 'null') as unknown)
    .catch(() => undefined)

/**
 * The API by `fetch`. A refusal with a readable `error` is passed on as it is, whatever its status. Without one, or without
 * an answer, the screen takes the text from the catalogue (`error` is empty, `status` 0 where no answer came at all).
 * This alone decides whether a call has succeeded: its status says so, and its body is JSON or empty. `ask` reads the body.
 * With `as` the token of who asks goes along, and is renewed silently when it has expired.
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
 * Sends, with the token where it goes along; a token that was refused is renewed once and the call sent again. What
 * everybody gets is never passed on as the answer to somebody.
 */
export async function request(operation: string, input: unknown, note = noteAnswer): Promise<Response> {
  const { as, ...given } = (input ?? {}) as Input
  const carried = credentials()
  const token = as ? carried.token() : null
  const response = await send(operation, given, token, note)
  if (!as || token === null || !isTokenRefused(response)) return response
  const renewal = await carried.renew(token)
  if (renewal === 'renewed') return send(operation, given, carried.token(), note)
  if (renewal === 'unreachable') throw new CallRefused(offline)
  if (renewal === 'ended' && as === 'action') carried.end()
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
    // as that of a gateway: the same may succeed later, so drafts and outboxes wait for it
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
