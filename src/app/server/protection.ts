import { randomFillSync } from 'node:crypto'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

const nonceBytes = 18
/** Drawn many at once: asking the system for each is a twentieth of what a kept page costs. No byte is used twice. */
const drawn = Buffer.alloc(nonceBytes * 256)
let used = drawn.length

function newNonce(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  return drawn.toString('base64', used, (used += nonceBytes))
}

/**
 * Security headers of every answer. Scripts run only with the nonce of the answer they came in, DOM sinks take only
 * Trusted Types, nothing loads from elsewhere but the online map that an operator chose, nobody may frame the site. What
 * exists only over TLS (HSTS, upgrades) is sent only where the site is served over TLS.
 *
 * The headers are the same for all answers but for the nonce, so helmet writes them once, at start. The nonce of an answer
 * is made when a page first asks for it; an answer without one allows no script at all.
 */
export async function protect(app: FastifyInstance, config: Config) {
  const overTls = config.publicUrl?.startsWith('https:') ?? false
  const placeholder = 'NONCE'
  const headers = await headersOf(helmetOptions(overTls, placeholder, config.map.origins))
  const { 'content-security-policy': policy, ...others } = headers
  const [before, after] = policy!.split(`'nonce-${placeholder}'`)
  const withoutScripts = `${before}'none'${after!.replace(" 'strict-dynamic'", '')}`
  const constant = {
    ...others,
    'permissions-policy': 'geolocation=(self), camera=(self), microphone=(), payment=(), usb=()',
    'content-security-policy': withoutScripts,
  }

  const nonces = new WeakMap<FastifyRequest, string>()
  app.decorateRequest('nonce', {
    getter(this: FastifyRequest) {
      let nonce = nonces.get(this)
      if (!nonce) nonces.set(this, (nonce = newNonce()))
      return nonce
    },
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(constant)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const nonce = nonces.get(request)
    if (nonce && reply.getHeader('content-security-policy') === withoutScripts)
      reply.header('content-security-policy', `${before}'nonce-${nonce}'${after}`)
    done(null, payload)
  })
}

function helmetOptions(overTls: boolean, nonce: string, mapOrigins: string[]): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': [`'nonce-${nonce}'`, "'strict-dynamic'"],
        'style-src': ["'self'"],
        'img-src': ["'self'"],
        'font-src': ["'self'"],
        // an online map loads its style, tiles, fonts and pictures by fetch
        'connect-src': ["'self'", ...mapOrigins],
        'manifest-src': ["'self'"],
        'worker-src': ["'self'"],
        'form-action': ["'self'"],
        'base-uri': ["'none'"],
        'object-src': ["'none'"],
        'frame-ancestors': ["'none'"],
        'require-trusted-types-for': ["'script'"],
        // the map's policy and the service worker's, each of which lets its own worker start and refuses everything else
        'trusted-types': ['default', 'worker'],
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
    // for browsers and plug-ins that are no more: a page and its headers are to reach a phone in one round
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  }
}

/** What helmet adds to an empty answer. */
async function headersOf(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const probe = fastify()
  await probe.register(helmet, options)
  probe.get('/', async (_request, reply) => reply.send())
  const { headers } = await probe.inject('/')
  await probe.close()
  const ofFastify = ['content-length', 'date', 'connection', 'content-type', 'keep-alive', 'transfer-encoding']
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !ofFastify.includes(name))
      .map(([name, value]) => [name, String(value)]),
  )
}
