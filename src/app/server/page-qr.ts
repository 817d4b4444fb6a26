import type { FastifyInstance } from 'fastify'
import { drawQr } from '../../kit/shared/qr-code.ts'
import { mailedLinkPages } from '../../site-map.ts'
import type { Config } from '../config.ts'
import { originOf } from './pages.ts'

/** Phones cannot read the code of a longer address from paper. */
const longestPath = 300

/** Serves `/qr.svg?path=/deals`, the QR code on printed pages. Only for paths of this site, so that no code leads elsewhere. */
export function servePageQr(app: FastifyInstance, config: Config) {
  app.get<{ Querystring: { path?: string } }>('/qr.svg', async (request, reply) => {
    const { path } = request.query
    const isOwn =
      typeof path === 'string' && path.length <= longestPath && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)
    if (!isOwn || mailedLinkPages.some((page) => path.startsWith(page)))
      throw Object.assign(new Error('No such page'), { statusCode: 404 })
    const { size, path: modules } = drawQr(originOf(request, config) + path)
    return (
      reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=86400')
        // an image opened by itself may load nothing
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(
          `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${modules}"/></svg>`,
        )
    )
  })
}
