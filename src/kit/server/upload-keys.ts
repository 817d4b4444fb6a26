import { timingSafeEqual } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Keyring } from './keyring.ts'
import { uploadsPath } from './uploads.ts'

interface Signing {
  keyring: Keyring
  clock: Clock
}

const purpose = 'pictures not for everybody'
const stepS = 600
const nowS = (clock: Clock) => Math.floor(clock.now().epochMilliseconds / 1000)

/**
 * An address by which a hidden picture can be seen, valid for 10 to 20 minutes. It changes every 10 minutes, so a screen that asks again
 * uses its cached picture.
 */
export function privateAddress({ keyring, clock }: Signing, name: string): string {
  const until = (Math.floor(nowS(clock) / stepS) + 2) * stepS
  const mac = keyring.mac(purpose, `${name} ${until}`).toString('base64url')
  return `${uploadsPath}${name}?key=${until}.${mac}`
}

/** True for a valid key of `privateAddress`. */
export function isKeyGood({ keyring, clock }: Signing, name: string, key: unknown): boolean {
  const [, until, mac] = /^(\d{1,12})\.([\w-]{43})$/.exec(typeof key === 'string' ? key : '') ?? []
  if (!until || !mac || Number(until) <= nowS(clock)) return false
  const given = Buffer.from(mac, 'base64url')
  return keyring
    .macs(purpose, `${name} ${until}`)
    .some((each) => each.length === given.length && timingSafeEqual(each, given))
}
