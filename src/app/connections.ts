import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { texts } from './server/texts.ts'

/** Connections whose last request was answered before its body had arrived. */
const answeredEarly = new WeakSet<Socket>()

/** Refuses connections and requests that no browser and no proxy of ours makes, before anything else sees them. */
export function guardConnections(app: FastifyInstance) {
  app.addHook('onRequest', async ({ raw }, reply) => {
    // already closed by the client: without an address limits cannot count it, and nobody waits for an answer
    if (raw.socket.remoteAddress === undefined) {
      reply.hijack()
      raw.socket.destroy()
    } else if (!namesOneHost(raw)) throw Object.assign(new Error('More than one host'), { statusCode: 400 })
  })
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    answeredEarly.add(raw.socket)
    raw.once('end', () => answeredEarly.delete(raw.socket))
  })
}

/**
 * Whether a request has at most one `Host` header (RFC 9112, 3.2) and a path as its target. A full address as target
 * (`GET http://host/path`), as sent to proxies, would name a second host.
 */
function namesOneHost({ url = '', rawHeaders }: IncomingMessage): boolean {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return false
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) if (rawHeaders[n]!.toLowerCase() === 'host') hosts++
  return hosts <= 1
}

/** Answers what Node's parser refuses before there is a request, with JSON like every refusal. */
export function answerClientError(error: Error & { code?: string }, socket: Socket) {
  // the request of an incomplete body was answered already
  if (error.code === 'ECONNRESET' || !socket.writable || answeredEarly.has(socket)) return socket.destroy()
  const [status, code] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'too_large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'request_timeout']
        : ['400 Bad Request', 'bad_request']
  const body = JSON.stringify({ error: texts.refusal('en', code as string), code })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
