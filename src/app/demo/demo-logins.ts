import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addDemoAccount } from '../../accounts/server/accounts.ts'
import type { Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import { businessExists } from '../../businesses/server/businesses.ts'
import { demoBusinesses } from './businesses.ts'
import { businessId } from './demo-data.ts'

export interface DemoLogin {
  who: string
  page: '/userlogin' | '/business-login'
  email: string
  password: string
}

const merchant = demoBusinesses[0]!.name

/**
 * A visitor and a merchant to try the demo with; no staff. Their password is random and belongs to the data folder, so
 * that a demo somebody left running in the open has none that the world knows.
 */
export async function fillDemoLogins(room: { db: Database; clock: Clock }, dataDir: string): Promise<DemoLogin[]> {
  const id = businessId(merchant)
  if (!(await businessExists(room.db, id))) return []
  const password = await passwordOf(dataDir)
  const visitor = { email: 'visitor@rheinklang.example', name: 'Demo visitor' }
  const owner = { email: 'merchant@rheinklang.example', name: merchant }
  await addDemoAccount(room, { role: 'user', ...visitor, password, businessId: null })
  await addDemoAccount(room, { role: 'business', ...owner, password, businessId: id })
  return [
    { who: 'visitor', page: '/userlogin', email: visitor.email, password },
    { who: `merchant (${merchant})`, page: '/business-login', email: owner.email, password },
  ]
}

async function passwordOf(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'secrets')
  const file = join(folder, 'demo-password')
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const password = randomBytes(9).toString('base64url')
  await writeFile(file, `${password}\n`, { mode: 0o600, flush: true })
  return password
}
