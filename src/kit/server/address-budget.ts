import type { FastifyInstance } from 'fastify'
import { tooManyUntil } from '../shared/refusal.ts'
import { networkOf } from './network.ts'

/**
 * Limits the requests of one address per second and instance. The limit is far above what a crowd behind one address needs; it only
 * keeps one machine from taking everything. So each instance counts for itself, in memory. Every answer says what is left
 * (draft-ietf-httpapi-ratelimit-headers).
 */
export function limitPerAddress(api: FastifyInstance, perSecond: number) {
  const policy = `"address";q=${perSecond};w=1`
  let second = 0
  let made = new Map<string, number>()
  api.addHook('onRequest', async (request, reply) => {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) {
      second = now
      made = new Map()
    }
    const key = networkOf(request.ip)
    const count = (made.get(key) ?? 0) + 1
    made.set(key, count)
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"address";r=${Math.max(0, perSecond - count)};t=1`)
    if (count > perSecond) throw tooManyUntil(1)
  })
}
