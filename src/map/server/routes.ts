import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import { notFound, Refusal } from '../../kit/shared/refusal.ts'
import { mapConfig } from '../contract.ts'
import { drawingFile, outlinePicture } from '../outline-view.ts'
import * as map from './map.ts'

export function mapOperations(room: map.MapRoom): Operation[] {
  return [operation(mapConfig, async () => map.findMapConfig(room))]
}

export function serveMapFiles(app: FastifyInstance, room: map.MapRoom) {
  serveDrawing(app)
  servePack(app, room)
}

/** The bundled drawing of the city, and its pictures by day and night for browsers without the map. */
function serveDrawing(app: FastifyInstance) {
  const pictures = (['paper', 'river'] as const).flatMap((theme) =>
    [false, true].map((near) => outlinePicture(theme, near)),
  )
  for (const path of [drawingFile, ...pictures]) {
    const file = readFileSync(new URL(`../../../public${path}`, import.meta.url))
    const type = path === drawingFile ? 'application/json' : 'image/svg+xml'
    app.get(path, (_request, reply) => reply.type(type).header('cache-control', 'public, max-age=86400').send(file))
  }
}

/**
 * `/map/{hash}.pmtiles`: the pack, immutable. A proxy must not transform it, because readers use offsets. Browsers load it whole;
 * QGIS and others can read ranges.
 */
function servePack(app: FastifyInstance, { pack }: map.MapRoom) {
  app.get<{ Params: { file: string } }>('/map/:file', async (request, reply) => {
    if (!pack || request.params.file !== `${pack.hash}.pmtiles`) throw new Refusal(notFound)
    const { file, hash } = pack
    const etag = `"${hash}"`
    reply
      .header('etag', etag)
      .header('cache-control', 'public, max-age=31536000, immutable, no-transform')
      .header('accept-ranges', 'bytes')
    const { range, 'if-range': ifRange, 'if-none-match': known } = request.headers
    if (known !== undefined && isAmong(known, etag)) return reply.status(304).send()
    reply.type('application/vnd.pmtiles')
    const isPart = request.method === 'GET' && range && (ifRange === undefined || ifRange === etag)
    const part = isPart ? partOf(range, file.length) : null
    if (!part) return reply.send(file)
    if (part.from >= part.to) {
      reply.header('cache-control', 'no-store').header('content-range', `bytes */${file.length}`)
      return reply.status(416).send()
    }
    return reply
      .status(206)
      .header('content-range', `bytes ${part.from}-${part.to - 1}/${file.length}`)
      .send(file.subarray(part.from, part.to))
  })
}

/** RFC 9110, 13.1.2: the tag is in the list, weak or not, or the list is `*`. */
function isAmong(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((each) => [etag, '*'].includes(each.trim().replace(/^W\//, '')))
}

/**
 * One range of bytes by RFC 9110, 14.1.2, `to` excluded; empty if it begins after the end. null: ignore it, as is allowed for
 * unreadable and multiple ranges.
 */
function partOf(range: string, size: number): { from: number; to: number } | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? []
  if (first === undefined || last === undefined) return null
  if (first === '') return last === '' ? null : { from: Math.max(0, size - Number(last)), to: size }
  if (last !== '' && Number(last) < Number(first)) return null
  return { from: Number(first), to: last === '' ? size : Math.min(Number(last) + 1, size) }
}
