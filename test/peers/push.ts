import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'

/** How the service answers a push: it accepts it, does not know the browser, is too busy, or does not answer. */
export type Mood = 'take' | 'unknown' | 'gone' | 'busy' | 'hang'

export interface PushBrowser {
  /** In the form of `PushSubscription.toJSON()`. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** Decrypted messages, the oldest first. */
  received: { content: Record<string, string>; headers: Record<string, string | string[] | undefined> }[]
  /** Number of attempts, also of refused ones. */
  tries: number
  mood: Mood
}

/**
 * A push service with the real protocol: browsers have keys, messages are decrypted by RFC 8291, and senders are verified by RFC 8292
 * (`vapidKey`: their public key).
 */
export async function startPushService() {
  const browsers = new Map<string, { browser: PushBrowser; ecdh: ReturnType<typeof createECDH>; auth: Buffer }>()
  const hanging = new Set<ServerResponse>()
  const faults: unknown[] = []
  let origin = ''
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const found = browsers.get(request.url ?? '')
      if (!found) return void response.writeHead(404).end()
      const { browser, ecdh, auth } = found
      browser.tries++
      if (browser.mood === 'hang') return void hanging.add(response)
      if (browser.mood === 'unknown') return void response.writeHead(404).end()
      if (browser.mood === 'gone') return void response.writeHead(410).end()
      if (browser.mood === 'busy') return void response.writeHead(429, { 'retry-after': '120' }).end()
      void verifySender(request.headers.authorization, origin)
        .then(() => {
          const content = decrypt(Buffer.concat(chunks), ecdh, auth)
          browser.received.push({ content: JSON.parse(content) as Record<string, string>, headers: request.headers })
          response.writeHead(201).end()
        })
        .catch((error: unknown) => {
          faults.push(error)
          response.writeHead(400).end()
        })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  return {
    port,
    /** Errors of messages that could not be decrypted, or whose sender could not be verified. */
    faults,
    newBrowser(): PushBrowser {
      const ecdh = createECDH('prime256v1')
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(12).toString('hex')}`
      const browser: PushBrowser = {
        subscription: {
          endpoint: origin + path,
          keys: { p256dh: ecdh.generateKeys('base64url'), auth: auth.toString('base64url') },
        },
        received: [],
        tries: 0,
        mood: 'take',
      }
      browsers.set(path, { browser, ecdh, auth })
      return browser
    },
    /** Cuts off open requests. */
    letGo: () => hanging.forEach((response) => response.destroy()),
    close: () => new Promise<void>((done) => (server.closeAllConnections(), server.close(() => done()))),
  }
}

/** Checks `vapid t=<JWT>, k=<public key>`: signed with that key, for this origin. */
async function verifySender(authorization: string | undefined, origin: string): Promise<void> {
  const [, token, key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? []
  const point = Buffer.from(key ?? '', 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  if (decodeProtectedHeader(token ?? '').alg !== 'ES256') throw new Error('not signed with ES256')
  await jwtVerify(token!, await importJWK({ kty: 'EC', crv: 'P-256', x: x!, y: y! }, 'ES256'), { audience: origin })
}

/** Decrypts one record by RFC 8291 and RFC 8188. */
function decrypt(body: Buffer, ecdh: ReturnType<typeof createECDH>, auth: Buffer): string {
  const [salt, idLength] = [body.subarray(0, 16), body[20]!]
  const sender = body.subarray(21, 21 + idLength)
  const sealed = body.subarray(21 + idLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0) throw new Error('no end of the record')
  return padded.subarray(0, end).toString()
}
