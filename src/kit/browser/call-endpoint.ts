import type { Answer, AnyEndpoint, Call, CallInput, Operation } from '../shared/endpoint.ts'
import { CallRefused } from '../shared/refusal.ts'

const timeoutMs = 15_000

/**
 * The API by `fetch`. A readable refusal is passed on as it is; a 5xx, a network failure or an unreadable answer becomes
 * a refusal whose text the screen takes from the catalogue (`error` is empty, `status` 0 where there was no answer).
 */
export const callByFetch: Call = async <E extends AnyEndpoint>(operation: Operation<E>, input?: CallInput<E>) => {
  const [method = '', path = ''] = operation.split(' ')
  const { params, query, body } = (input ?? {}) as Record<
    'params' | 'query' | 'body',
    Record<string, unknown> | undefined
  >
  let response: Response
  try {
    response = await fetch(address(path, params, query), {
      method,
      headers: body ? { 'content-type': 'application/json' } : {},
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch {
    throw new CallRefused({ status: 0, code: 'offline', error: '' })
  }
  const answer: unknown = response.status === 204 ? null : await response.json().catch(() => undefined)
  if (!response.ok || answer === undefined) throw new CallRefused(refusal(response.status, answer))
  const total = response.headers.get('x-total-count')
  return {
    body: answer,
    total: total === null ? null : Number(total),
    totalCapped: response.headers.get('x-total-capped') === 'true',
    next: nextCursor(response.headers.get('link')),
  } as Answer<E>
}

function address(path: string, params?: Record<string, unknown>, query?: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `${filled}?${text}` : filled
}

function refusal(status: number, answer: unknown) {
  const { error, code, fields } = (answer ?? {}) as { error?: unknown; code?: unknown; fields?: Record<string, string> }
  const readable = status >= 400 && status < 500 && typeof error === 'string'
  return {
    status,
    code: typeof code === 'string' ? code : 'unreadable',
    error: readable ? error : '',
    ...(readable && fields ? { fields } : {}),
  }
}

function nextCursor(link: string | null): string | null {
  const target = /<([^>]+)>;\s*rel="?next/.exec(link ?? '')?.[1]
  return target ? new URL(target, location.origin).searchParams.get('after') : null
}
