import { timingSafeEqual } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Keyring } from './keyring.ts'

/** Who changes something reads from the primary for so long: until every fresh replica has it, with room to spare. */
const keptS = 6
/** The clock of the instance that left the mark may be ahead by a second, and both are cut to whole ones. */
const aheadS = 2
const cookieName = 'changed'
const purpose = 'own changes'

/** Remembers in the browser, not in the process, that its person has just changed something. */
export interface OwnChanges {
  /** For `Set-Cookie`. */
  cookie(): string
  /** Whether the cookie header holds a mark of this installation that still counts. */
  isRecent(cookieHeader: string): boolean
}

export function ownChanges(parts: { keyring: Keyring; clock: Clock; isSecure: boolean }): OwnChanges {
  const { keyring, clock, isSecure } = parts
  const nowS = () => Math.floor(clock.now().epochMilliseconds / 1000)
  return {
    cookie() {
      const until = String(nowS() + keptS)
      const mac = keyring.mac(purpose, until).toString('base64url')
      return `${cookieName}=${until}.${mac}; Path=/; Max-Age=${keptS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
    },
    isRecent(cookieHeader) {
      const [, until, mac] = /(?:^|;\s*)changed=(\d{1,12})\.([\w-]{43})(?:;|$)/.exec(cookieHeader) ?? []
      if (!until || !mac) return false
      const leftS = Number(until) - nowS()
      if (leftS < 0 || leftS > keptS + aheadS) return false
      const given = Buffer.from(mac, 'base64url')
      return keyring.macs(purpose, until).some((each) => each.length === given.length && timingSafeEqual(each, given))
    },
  }
}
