import { addDemoAccount } from '../../accounts/server/accounts.ts'
import type { Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import type { Keyring } from '../../kit/server/keyring.ts'
import { businessExists } from '../../businesses/server/businesses.ts'
import { demoBusinesses } from '../../businesses/demo/businesses.ts'
import { businessId } from '../../businesses/demo/demo-businesses.ts'

export interface DemoLogin {
  who: string
  page: '/userlogin' | '/business-login'
  email: string
  password: string
}

const merchant = demoBusinesses[0]!.name

/**
 * A visitor and a merchant to try the demo with; no staff. Their password follows from the secret of the installation:
 * every instance tells the same one, and a demo that somebody left running in the open has none that the world knows.
 */
export async function fillDemoLogins(room: { db: Database; clock: Clock; keyring: Keyring }): Promise<DemoLogin[]> {
  const id = businessId(merchant)
  if (!(await businessExists(room.db, id))) return []
  const password = room.keyring.mac('demo logins', 'password').toString('base64url').slice(0, 12)
  const visitor = { email: 'visitor@rheinklang.example', name: 'Demo visitor' }
  const owner = { email: 'merchant@rheinklang.example', name: merchant }
  await addDemoAccount(room, { role: 'user', ...visitor, password, businessId: null })
  await addDemoAccount(room, { role: 'business', ...owner, password, businessId: id })
  return [
    { who: 'visitor', page: '/userlogin', email: visitor.email, password },
    { who: `merchant (${merchant})`, page: '/business-login', email: owner.email, password },
  ]
}
