import type { FastifyInstance } from 'fastify'
import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { notFound, Refusal } from '../../kit/shared/refusal.ts'
import { mapConfig } from '../contract.ts'
import * as map from './map.ts'

export function mapOperations(room: map.MapRoom): Operation[] {
  return [operation(mapConfig, async () => map.findMapConfig(room))]
}

/**
 * `/map/{hash}.pmtiles`: the pack, whole and unchanged, for ever. Ranges are not served, for browsers read it into memory;
 * a proxy must not touch it either, or its offsets would no longer fit.
 */
export function servePack(app: FastifyInstance, { pack }: map.MapRoom) {
  app.get<{ Params: { file: string } }>('/map/:file', async (request, reply) => {
    if (!pack || request.params.file !== `${pack.hash}.pmtiles`) throw new Refusal(notFound)
    const etag = `"${pack.hash}"`
    reply
      .header('etag', etag)
      .header('cache-control', 'public, max-age=31536000, immutable, no-transform')
      .header('accept-ranges', 'none')
    const known = request.headers['if-none-match']
    if (known !== undefined && matches(known, etag)) return reply.status(304).send()
    return reply.type('application/vnd.pmtiles').send(pack.file)
  })
}

/** By RFC 9110, 13.1.2: any of a list, weak or not, or anything at all. */
function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((each) => [etag, '*'].includes(each.trim().replace(/^W\//, '')))
}
