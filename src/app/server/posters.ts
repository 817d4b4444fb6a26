import type { FastifyInstance } from 'fastify'
import { posterSvg } from '../../brand/posters/poster.ts'

const kinds = ['deal', 'business', 'event'] as const

/**
 * Serves `/poster/{kind}/{category}/{id}.svg?t=K`, the generated picture of a deal, merchant or event without an upload. It is a
 * pure function of its address: no query is needed, and browsers may cache it.
 */
export function servePosters(app: FastifyInstance) {
  app.get<{ Params: { kind: string; category: string; file: string }; Querystring: { t?: string } }>(
    '/poster/:kind/:category/:file',
    async (request, reply) => {
      const { category, file } = request.params
      const kind = kinds.find((each) => each === request.params.kind)
      const id = /^([\w-]{1,64})\.svg$/.exec(file)?.[1]
      if (!kind || !id || !/^[a-z]{1,20}$/.test(category))
        throw Object.assign(new Error('No such poster'), { statusCode: 404 })
      const title =
        typeof request.query.t === 'string' && request.query.t.isWellFormed() ? ([...request.query.t][0] ?? '') : ''
      return (
        reply
          .type('image/svg+xml')
          .header('cache-control', 'public, max-age=604800')
          // an image opened by itself may load nothing
          .header('content-security-policy', "default-src 'none'; sandbox")
          .send(posterSvg({ id, kind, category, title }))
      )
    },
  )
}
