import type { Clock } from './clock.ts'
import { isEqual, type Keyring } from './keyring.ts'
import { uploadsPath } from './uploads.ts'

interface Signing {
  keyring: Keyring
  clock: Clock
}

const purpose = 'pictures not for everybody'
const newAddressEveryS = 600
const nowS = (clock: Clock) => Math.floor(clock.now().epochMilliseconds / 1000)

/**
 * Signed address of a hidden picture, valid for 10 to 20 minutes. The address changes only every 10 minutes, so that a screen that loads
 * again can use its cached picture.
 */
export function privateAddress({ keyring, clock }: Signing, name: string): string {
  const until = (Math.floor(nowS(clock) / newAddressEveryS) + 2) * newAddressEveryS
  const mac = keyring.mac(purpose, `${name} ${until}`).toString('base64url')
  return `${uploadsPath}${name}?key=${until}.${mac}`
}

/** True if the key is from `privateAddress`, for this picture, and has not expired. */
export function isKeyGood({ keyring, clock }: Signing, name: string, key: unknown): boolean {
  const [, until, mac] = /^(\d{1,12})\.([\w-]{43})$/.exec(typeof key === 'string' ? key : '') ?? []
  if (!until || !mac || Number(until) <= nowS(clock)) return false
  const given = Buffer.from(mac, 'base64url')
  return keyring.macs(purpose, `${name} ${until}`).some((each) => isEqual(each, given))
}
