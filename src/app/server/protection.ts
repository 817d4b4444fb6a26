import { randomFillSync } from 'node:crypto'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

const nonceBytes = 18
/** Random bytes, drawn for 256 nonces at once: a system call for each would be 5 % of a cached page. No byte is used twice. */
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
 * Sets the security headers of every answer. Scripts run only with the nonce of their own answer, DOM sinks take only Trusted
 * Types, only the operator's online map loads from elsewhere, nobody may frame the site. HSTS and upgrades are sent
 * only where the site is served over TLS.
 *
 * Only the nonce differs between answers, so helmet makes the headers once, at start. A nonce is made when a page first reads
 * `request.nonce`; an answer without a nonce allows no script.
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
        // policies of the map and of the service worker; each allows only its own worker
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
    // headers for browsers and plug-ins that no longer exist; without them page and headers fit into one round trip
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  }
}

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
