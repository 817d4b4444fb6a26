import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../shared/endpoint.ts'
import { writerOf } from './answer-json.ts'
import { Page } from './page.ts'

/** The answer of an endpoint with `fileType`. */
export class FileAnswer {
  readonly bytes: Uint8Array
  readonly name: string
  constructor(bytes: Uint8Array, name: string) {
    this.bytes = bytes
    this.name = name
  }
}

/** The answer of an endpoint with `feed`. */
export class FeedAnswer {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** The answer of an endpoint with `redirects`. */
export class Redirect {
  readonly location: string
  readonly setCookie: string | null
  constructor(location: string, setCookie: string | null = null) {
    this.location = location
    this.setCookie = setCookie
  }
}

/**
 * Lets shared caches such as a CDN store an answer for some seconds; browsers still ask each time. Answers to requests with a token are
 * not stored, unless the endpoint ignores tokens.
 */
export function allowSharedCaching(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: AnyEndpoint,
  seconds: number,
) {
  if (!endpoint.shared || seconds === 0) return
  if (endpoint.access !== 'public') {
    reply.header('vary', 'Authorization')
    if (request.headers.authorization) return
  }
  // the rest of one address's limit is wrong for other readers of the stored answer
  reply.removeHeader('ratelimit')
  reply.header('cache-control', `public, max-age=0, must-revalidate, s-maxage=${seconds}`)
}

export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: AnyEndpoint,
  result: unknown,
  exact: boolean,
) {
  if (result instanceof Redirect) {
    if (result.setCookie) reply.header('set-cookie', result.setCookie)
    return reply.header('cache-control', 'no-store').redirect(result.location, endpoint.status ?? 303)
  }
  if (result instanceof FileAnswer)
    return reply
      .type(endpoint.fileType ?? 'application/octet-stream')
      .header('content-disposition', `attachment; filename="${result.name.replace(/[^\w.-]/g, '_')}"`)
      .header('cache-control', 'no-store')
      .send(Buffer.from(result.bytes))
  if (result instanceof FeedAnswer) return sendFeed(request, reply, endpoint, result)
  // answers to logged-in people are stored nowhere
  if (!reply.hasHeader('cache-control'))
    reply.header('cache-control', endpoint.method === 'GET' && !request.who ? 'no-cache' : 'no-store')
  reply.status(endpoint.status ?? 200)
  const version = endpoint.version && (result as Record<string, unknown>)[endpoint.version]
  // no ETag in shared caches: the answer may change without a new version (counts), and would be answered with 304
  const isShared = String(reply.getHeader('cache-control')).startsWith('public')
  if (typeof version === 'string' && !isShared) reply.header('etag', `"${version}"`)
  if (endpoint.answer === null) return reply.send()
  reply.type('application/json; charset=utf-8').serializer(exact ? JSON.stringify : writerOf(endpoint))
  if (!(result instanceof Page)) return reply.send(result)
  reply.header('x-total-count', result.total.count)
  if (result.total.capped) reply.header('x-total-capped', 'true')
  if (result.guessed) reply.header('x-search-guessed', 'true')
  const links = [
    ...(result.next === null ? [] : [`<${pageAt(request.url, 'after', result.next)}>; rel="next"`]),
    ...(result.prev === null ? [] : [`<${pageAt(request.url, 'before', result.prev)}>; rel="prev"`]),
  ]
  if (links.length > 0) reply.header('link', links.join(', '))
  return reply.send(exact ? result.json : result.items)
}

/** Sends a feed, or 304 if it has not changed. */
function sendFeed(request: FastifyRequest, reply: FastifyReply, endpoint: AnyEndpoint, { text }: FeedAnswer) {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply
    .header('etag', tag)
    .header('cache-control', request.who || endpoint.feed === 'secret' ? 'private, no-cache' : 'public, max-age=60')
  const known = request.headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, ''))
  if (known?.includes(tag) || known?.includes('*')) return reply.status(304).send()
  return reply.type(`${endpoint.fileType}; charset=utf-8`).send(text)
}

/** The address of the page after or before the cursor. */
function pageAt(url: string, side: 'after' | 'before', cursor: string): string {
  // further question marks are part of the query
  const [path, ...search] = url.split('?')
  const asked = new URLSearchParams(search.join('?'))
  for (const start of ['offset', 'from', 'after', 'before']) asked.delete(start)
  asked.set(side, cursor)
  return `${path}?${asked.toString()}`
}
