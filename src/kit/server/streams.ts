import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, tooManyUntil } from '../shared/refusal.ts'
import { networkOf } from './network.ts'

/** The answer of an endpoint with `stream`: server-sent events until either side ends it. */
export class StreamAnswer {
  /** Called when the stream is open; the function it returns is called when the stream is closed. */
  readonly begin: (stream: OpenStream) => () => void
  constructor(begin: (stream: OpenStream) => () => void) {
    this.begin = begin
  }
}

export interface OpenStream {
  /** Id of the last message that the browser has received; null for a new stream. */
  readonly lastEventId: string | null
  /** `data` is JSON without line breaks. A client that reads too slowly is disconnected, and reconnects for the rest. */
  send(message: { id: string; event: string; data: string }): void
  end(): void
}

/** Most open streams of an instance; each takes 17 kB of memory (docs/performance.md). */
const streamsAtMost = 20_000
/** Proxies close connections that are silent for a minute, and so does Node after `connectionTimeout`. */
const heartbeatMs = 15_000
/** Heartbeats between two checks of a stream's token. */
const heartbeatsPerCheck = 4
/** Bytes */
const unreadAtMost = 256 * 1024
const retryAfterS = 30
/** Pause before a browser reconnects. */
const reconnectMs = 2_000

interface Connection {
  reply: FastifyReply
  /** Rejects with a refusal when the client has lost access. Null for clients without a token. */
  stillAdmitted: (() => Promise<unknown>) | null
  heartbeats: number
  end: () => void
}

export interface Streams {
  /** @throws too_many_requests where the address, or the instance, has too many streams */
  serve(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: StreamAnswer,
    stillAdmitted: (() => Promise<unknown>) | null,
  ): FastifyReply
}

/**
 * The streams of this instance. An address may have `perAddress` of them in each instance. When the server stops, all streams end after a
 * whole message, and browsers reconnect to another instance.
 */
export function openStreams(app: FastifyInstance, perAddress: number): Streams {
  const open = new Set<Connection>()
  const ofAddress = new Map<string, number>()
  let isStopping = false
  // sending the last bytes may take a while, and no heartbeat may be written after them
  const end = (connection: Connection) => {
    open.delete(connection)
    connection.reply.raw.end()
  }
  const heartbeat = setInterval(() => {
    for (const connection of open) {
      connection.reply.raw.write(':\n\n')
      if (++connection.heartbeats % heartbeatsPerCheck === 0) void checkAccess(connection)
    }
  }, heartbeatMs)
  heartbeat.unref()
  app.addHook('preClose', async () => {
    isStopping = true
    clearInterval(heartbeat)
    for (const connection of open) end(connection)
  })

  return {
    serve(request, reply, answer, stillAdmitted) {
      const { raw } = reply
      // a client that has disconnected already sends no further 'close', which would release its place
      if (raw.destroyed) return reply.hijack()
      const address = networkOf(request.ip)
      const held = ofAddress.get(address) ?? 0
      if (held >= perAddress || open.size >= streamsAtMost) throw tooManyUntil(retryAfterS)
      const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream; charset=utf-8' }
      reply.hijack()
      // x-accel-buffering: a proxy that buffers would delay messages
      raw.writeHead(200, { ...headers, 'cache-control': 'no-store', 'x-accel-buffering': 'no' } as Record<
        string,
        string
      >)
      if (request.method === 'HEAD' || isStopping) {
        raw.end()
        return reply
      }
      raw.write(`retry: ${reconnectMs}\n\n`)
      const connection: Connection = { reply, stillAdmitted, heartbeats: 0, end: () => end(connection) }
      open.add(connection)
      ofAddress.set(address, held + 1)
      const finish = answer.begin({
        lastEventId: oneHeader(request.headers['last-event-id']),
        send({ id, event, data }) {
          if (!open.has(connection)) return
          raw.write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
          if (raw.writableLength > unreadAtMost) raw.destroy()
        },
        end: connection.end,
      })
      raw.once('close', () => {
        open.delete(connection)
        const left = (ofAddress.get(address) ?? 1) - 1
        if (left > 0) ofAddress.set(address, left)
        else ofAddress.delete(address)
        finish()
      })
      return reply
    },
  }
}

/** Ends a stream whose client has lost access. Other errors, such as a database that cannot be reached, are ignored. */
async function checkAccess({ stillAdmitted, end }: Connection): Promise<void> {
  try {
    await stillAdmitted?.()
  } catch (error) {
    if (error instanceof Refusal && error.kind.status < 500) end()
  }
}

const oneHeader = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null
