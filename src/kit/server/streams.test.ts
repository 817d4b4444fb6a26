import Fastify, { type FastifyReply } from 'fastify'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Refusal, unauthenticated } from '../shared/refusal.ts'
import { openStreams, StreamAnswer } from './streams.ts'

/** A server with one stream, which opens after `admit`. */
async function served(
  admit: (reply: FastifyReply) => Promise<void>,
  stillAdmitted: (() => Promise<unknown>) | null = null,
) {
  const app = Fastify({ forceCloseConnections: true, trustProxy: true })
  onTestFinished(() => app.close())
  const streams = openStreams(app, 1)
  const begin = vi.fn(() => () => {})
  app.get('/', async (request, reply) => {
    await admit(reply)
    return streams.serve(request, reply, new StreamAnswer(begin), stillAdmitted)
  })
  app.setErrorHandler((error, _, reply) => reply.status(error instanceof Refusal ? error.kind.status : 500).send())
  return { url: await app.listen({ port: 0 }), begin }
}

it('a client that disconnects before its stream opens does not count', async () => {
  const goes = Promise.withResolvers<void>()
  const isAway = Promise.withResolvers<void>()
  let isFirst = true
  const { url, begin } = await served(async ({ raw }) => {
    if (!isFirst) return
    isFirst = false
    raw.once('close', () => isAway.resolve())
    goes.resolve()
    await isAway.promise
  })

  const stop = new AbortController()
  const headers = { 'x-forwarded-for': '192.0.2.7' }
  const gone = fetch(url, { headers, signal: stop.signal }).catch(() => 'gone')
  await goes.promise
  stop.abort()
  expect(await gone).toBe('gone')
  await isAway.promise
  const next = await fetch(url, { headers })
  expect(next.status).toBe(200)
  expect(begin).toHaveBeenCalledOnce()
  await next.body!.cancel()
})

it('a stream ends when its client loses access, not when the database cannot be reached', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const stillAdmitted = vi.fn(async () => {
    throw new Error('The database is away.')
  })
  const { url } = await served(async () => {}, stillAdmitted)
  const reader = (await fetch(url)).body!.getReader()
  const minute = () => vi.advanceTimersByTime(60_000)
  minute()
  expect(stillAdmitted).toHaveBeenCalledOnce()
  await reader.read()
  stillAdmitted.mockRejectedValue(new Refusal(unauthenticated))
  minute()
  await expect(stillAdmitted.mock.results[1]!.value).rejects.toThrow(Refusal)
  // nothing is written after the end
  minute()
  while (!(await reader.read()).done);
  expect(stillAdmitted).toHaveBeenCalledTimes(2)
})
