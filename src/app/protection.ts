import { randomBytes } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

/**
 * Security headers of every answer. Scripts run only with the nonce of the answer they came in, DOM sinks take only
 * Trusted Types, nothing loads from elsewhere but the online map that an operator chose, nobody may frame the site. What
 * exists only over TLS (HSTS, upgrades) is sent only where the site is served over TLS.
 */
export async function protect(app: FastifyInstance, config: Config) {
  const overTls = config.publicUrl?.startsWith('https:') ?? false
  app.addHook('onRequest', async (request) => {
    request.nonce = randomBytes(16).toString('base64')
    // helmet sees Node's own request only
    Object.assign(request.raw, { nonce: request.nonce })
  })
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': [(request) => `'nonce-${(request as unknown as { nonce: string }).nonce}'`, "'strict-dynamic'"],
        'style-src': ["'self'"],
        'img-src': ["'self'"],
        'font-src': ["'self'"],
        // an online map loads its style, tiles, fonts and pictures by fetch
        'connect-src': ["'self'", ...config.map.origins],
        'manifest-src': ["'self'"],
        'worker-src': ["'self'"],
        'form-action': ["'self'"],
        'base-uri': ["'none'"],
        'object-src': ["'none'"],
        'frame-ancestors': ["'none'"],
        'require-trusted-types-for': ["'script'"],
        // the map's policy, which lets its own worker start and refuses everything else
        'trusted-types': ['default'],
        ...(overTls ? { 'upgrade-insecure-requests': [] } : {}),
      },
    },
    strictTransportSecurity: overTls ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: { policy: 'require-corp' },
    originAgentCluster: true,
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'geolocation=(self), camera=(self), microphone=(), payment=(), usb=()')
  })
}
