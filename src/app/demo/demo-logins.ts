import { addDemoAccount } from '../../accounts/server/accounts.ts'
import type { Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import { businessExists } from '../../businesses/server/businesses.ts'
import { businessId } from '../../businesses/demo/demo-businesses.ts'
import type { NoteLeftOut } from './fill-demo.ts'

export interface DemoLogin {
  who: string
  page: '/userlogin' | '/business-login'
  email: string
  password: string
}

/** A merchant of `demo/businesses.json`. */
export const demoMerchant = 'Lampion & Lärm'

/**
 * Creates a visitor and a merchant to try the demo with; no staff. Their password is derived from the secret of the installation: all
 * instances print the same one, and a public demo has no password that the world knows. A login that cannot be created is
 * left out: somebody may have changed the account's email.
 */
export async function fillDemoLogins(
  services: { db: Database; clock: Clock; keyring: Keyring },
  noteLeftOut: NoteLeftOut,
): Promise<DemoLogin[]> {
  const id = businessId(demoMerchant)
  if (!(await businessExists(services.db, id))) return []
  const password = services.keyring.mac('demo logins', 'password').toString('base64url').slice(0, 12)
  const accounts = [
    { who: 'visitor', role: 'user', email: 'visitor@rheinklang.example', name: 'Demo visitor', businessId: null },
    {
      who: `merchant (${demoMerchant})`,
      role: 'business',
      email: 'merchant@rheinklang.example',
      name: demoMerchant,
      businessId: id,
    },
  ] as const
  const logins: DemoLogin[] = []
  for (const { who, ...account } of accounts) {
    try {
      await addDemoAccount(services, { ...account, password })
      const page = account.role === 'user' ? '/userlogin' : '/business-login'
      logins.push({ who, page, email: account.email, password })
    } catch (error) {
      noteLeftOut(`the demo's login of the ${who} cannot be set and is left out`, error)
    }
  }
  return logins
}
