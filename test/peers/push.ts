import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'

/** What a push service does with a push: takes it, does not know the browser, is asked too often, or says nothing. */
export type Mood = 'take' | 'unknown' | 'gone' | 'busy' | 'hang'

export interface PushBrowser {
  /** As `PushSubscription.toJSON()`. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** What has arrived and was decrypted, the oldest first. */
  received: { content: Record<string, string>; headers: Record<string, string | string[] | undefined> }[]
  /** All that was tried, also what was not taken. */
  tries: number
  mood: Mood
}

/**
 * A push service that speaks the protocol: browsers with keys of their own, messages decrypted by RFC 8291, senders told by
 * RFC 8292 (`vapidKey`: the public key that must have signed).
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
    /** What it could not decrypt, or whose sender it could not verify. */
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
    /** What hangs is cut off. */
    letGo: () => hanging.forEach((response) => response.destroy()),
    close: () => new Promise<void>((done) => (server.closeAllConnections(), server.close(() => done()))),
  }
}

/** `vapid t=<JWT>, k=<public key>`: signed with that key, for this origin. */
async function verifySender(authorization: string | undefined, origin: string): Promise<void> {
  const [, token, key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? []
  const point = Buffer.from(key ?? '', 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  if (decodeProtectedHeader(token ?? '').alg !== 'ES256') throw new Error('not signed with ES256')
  await jwtVerify(token!, await importJWK({ kty: 'EC', crv: 'P-256', x: x!, y: y! }, 'ES256'), { audience: origin })
}

/** RFC 8291 and RFC 8188, of one record. */
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
