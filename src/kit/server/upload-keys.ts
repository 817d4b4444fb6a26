import { timingSafeEqual } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Keyring } from './keyring.ts'
import { uploadsPath } from './uploads.ts'

/**
 * An address under which a picture that not everybody may see is there for who got it, for 10 to 20 minutes. It stays the same for
 * ten, so that a screen that asks again loads the picture once.
 */

interface Signing {
  keyring: Keyring
  clock: Clock
}

const purpose = 'pictures not for everybody'
const stepS = 600
const nowS = (clock: Clock) => Math.floor(clock.now().epochMilliseconds / 1000)

export function privateAddress({ keyring, clock }: Signing, name: string): string {
  const until = (Math.floor(nowS(clock) / stepS) + 2) * stepS
  const mac = keyring.mac(purpose, `${name} ${until}`).toString('base64url')
  return `${uploadsPath}${name}?key=${until}.${mac}`
}

export function isKeyGood({ keyring, clock }: Signing, name: string, key: unknown): boolean {
  const [, until, mac] = /^(\d{1,12})\.([\w-]{43})$/.exec(typeof key === 'string' ? key : '') ?? []
  if (!until || !mac || Number(until) <= nowS(clock)) return false
  const given = Buffer.from(mac, 'base64url')
  return keyring
    .macs(purpose, `${name} ${until}`)
    .some((each) => each.length === given.length && timingSafeEqual(each, given))
}
