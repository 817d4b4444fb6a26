import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, tooManyUntil } from '../shared/refusal.ts'
import { networkOf } from './network.ts'

/** The answer of an endpoint with `stream`: server-sent events, for as long as both sides want. */
export class StreamAnswer {
  /** Called once the stream stands; what it returns is called once it is over, whoever ended it. */
  readonly begin: (stream: OpenStream) => () => void
  constructor(begin: (stream: OpenStream) => () => void) {
    this.begin = begin
  }
}

export interface OpenStream {
  /** Id of the last message that the browser has received; null: this is no stream that goes on. */
  readonly lastEventId: string | null
  /** `data` is JSON, so it has no line breaks. Who reads too slowly is let go, and comes back for the rest. */
  send(message: { id: string; event: string; data: string }): void
  end(): void
}

/** All open streams of an instance; each takes 17 kB of memory (docs/performance.md). */
const inAllAtMost = 20_000
/** Proxies end what is silent for a minute, and so does Node after `connectionTimeout`. */
const beatMs = 15_000
/** The token of a stream is looked at so often, in beats. */
const beatsBetweenLooks = 4
/** What a reader has not taken yet, bytes. */
const unreadAtMost = 256 * 1024
const retryAfterS = 30
/** A browser comes back after so long, ms. */
const comeBackMs = 2_000

interface Standing {
  reply: FastifyReply
  /** Rejects with a refusal once the one who asked may no longer. Absent for who is unknown. */
  stillAdmitted: (() => Promise<unknown>) | null
  beats: number
  end: () => void
}

export interface Streams {
  /** Throws `too_many_requests` where the address, or everybody together, has enough of them. */
  serve(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: StreamAnswer,
    stillAdmitted: (() => Promise<unknown>) | null,
  ): FastifyReply
}

/**
 * The open streams of this instance. An address has `perAddress` at most: sockets are an instance's own, so what another
 * one holds does not matter. At a stop all end, whole; browsers come back to another instance.
 */
export function keepStreams(app: FastifyInstance, perAddress: number): Streams {
  const open = new Set<Standing>()
  const ofAddress = new Map<string, number>()
  let isStopping = false
  // its last bytes may take a while, and the beat must not write after them
  const end = (standing: Standing) => {
    open.delete(standing)
    standing.reply.raw.end()
  }
  const beat = setInterval(() => {
    for (const standing of open) {
      standing.reply.raw.write(':\n\n')
      if (++standing.beats % beatsBetweenLooks === 0) void look(standing)
    }
  }, beatMs)
  beat.unref()
  app.addHook('preClose', async () => {
    isStopping = true
    clearInterval(beat)
    for (const standing of open) end(standing)
  })

  return {
    serve(request, reply, answer, stillAdmitted) {
      const { raw } = reply
      // who has gone while they were being admitted does not tell once more that they go
      if (raw.destroyed) return reply.hijack()
      const address = networkOf(request.ip)
      const held = ofAddress.get(address) ?? 0
      if (held >= perAddress || open.size >= inAllAtMost) throw tooManyUntil(retryAfterS)
      const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream; charset=utf-8' }
      reply.hijack()
      // proxies that collect answers would hold messages back
      raw.writeHead(200, { ...headers, 'cache-control': 'no-store', 'x-accel-buffering': 'no' } as Record<
        string,
        string
      >)
      if (request.method === 'HEAD' || isStopping) {
        raw.end()
        return reply
      }
      raw.write(`retry: ${comeBackMs}\n\n`)
      const standing: Standing = { reply, stillAdmitted, beats: 0, end: () => end(standing) }
      open.add(standing)
      ofAddress.set(address, held + 1)
      const finish = answer.begin({
        lastEventId: oneHeader(request.headers['last-event-id']),
        send({ id, event, data }) {
          if (!open.has(standing)) return
          raw.write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
          if (raw.writableLength > unreadAtMost) raw.destroy()
        },
        end: standing.end,
      })
      raw.once('close', () => {
        open.delete(standing)
        const left = (ofAddress.get(address) ?? 1) - 1
        if (left > 0) ofAddress.set(address, left)
        else ofAddress.delete(address)
        finish()
      })
      return reply
    },
  }
}

/** Ends it where the one who asked is refused. A database that is away for a moment says nothing about them. */
async function look({ stillAdmitted, end }: Standing): Promise<void> {
  try {
    await stillAdmitted?.()
  } catch (error) {
    if (error instanceof Refusal && error.kind.status < 500) end()
  }
}

const oneHeader = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null
