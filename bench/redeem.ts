import { sql } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/kit/server/database.ts'
import { newId } from '../src/kit/server/ids.ts'
import { startServer, type RunningServer } from './servers.ts'
import { buildTown } from './town.ts'

/** What became of the last item of deals. */
export interface LastItems {
  rounds: number
  /** Rounds in which exactly one got it. */
  claimed: number
  redeemed: number
  /** Answers other than 201, 409 and (of tills that take turns) 429. */
  strange: number
  /** From the first request of a round to its last answer. */
  slowestMs: number
}

const password = 'lanterns over the river'

/** R14: `parallel` visitors claim the last item at once, and as many tills redeem its code, over two instances. */
export async function measureLastItems(parallel: number, rounds: number): Promise<LastItems> {
  const town = await buildTown(1000)
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'rheinklang-bench-redeem-')))
  const { db, pool } = openDatabase({ connectionString: town.url })
  const instances: RunningServer[] = []
  try {
    for (const folder of folders)
      instances.push(
        await startServer('src/app/main.ts', { DATABASE_URL: town.url, DATA_DIR: folder }, { probe: '/readyz' }),
      )
    const at = (n: number) => instances[n % instances.length]!.base
    const ask = async (n: number, path: string, body: unknown, token = '') => {
      const response = await fetch(at(n) + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        body: JSON.stringify(body),
      })
      return { status: response.status, body: (await response.json().catch(() => ({}))) as Record<string, string> }
    }
    const business = new FormData()
    for (const [key, value] of Object.entries({ business_name: 'Bar Nord', email: 'bar@example.org', password }))
      business.set(key, value)
    await fetch(`${at(0)}/api/business/signup`, { method: 'POST', body: business })
    const merchant = (await ask(0, '/api/business/login', { email: 'bar@example.org', password })).body
    const tokens = await visitorTokens(
      db,
      parallel,
      (email) => ask(0, '/api/auth/login', { email, password }),
      (email) => ask(0, '/api/auth/signup', { display_name: 'Lena', email, password, accepts_terms: true }),
    )
    const found: LastItems = { rounds, claimed: 0, redeemed: 0, strange: 0, slowestMs: 0 }
    const all = async (send: (n: number) => ReturnType<typeof ask>) => {
      const began = performance.now()
      const answers = await Promise.all(Array.from({ length: parallel }, (_, n) => send(n)))
      found.slowestMs = Math.max(found.slowestMs, performance.now() - began)
      found.strange += answers.filter(({ status }) => ![201, 409, 429].includes(status)).length
      return answers.filter(({ status }) => status === 201)
    }
    for (let round = 0; round < rounds; round++) {
      const deal = newId()
      await sql`
        insert into deals (deal_id, business_id, deal_name, redemption_mode, total_limit, created_at, updated_at)
        values (${deal}, ${merchant['businessId']}::uuid, 'The last one', 'code', 1, now(), now())`.execute(db)
      const winners = await all((n) => ask(n, `/api/deals/${deal}/claim`, {}, tokens[n]))
      if (winners.length === 1) found.claimed++
      const payload = winners[0]?.body['qr_payload']
      // its code is checked once, and then redeemed by all tills at the same moment
      const { ticket } = (await ask(0, '/api/redemptions/check', { payload }, merchant['authToken'])).body
      const redeemed = await all((n) => ask(n, '/api/redemptions', { ticket, amount_chf: 1 }, merchant['authToken']))
      if (redeemed.length === 1) found.redeemed++
    }
    return found
  } finally {
    await pool.end()
    for (const instance of instances) await instance.stop()
    await town.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

/** One visitor signs up; the others are copies of that account, for a hash of a password takes its time. */
async function visitorTokens(
  db: ReturnType<typeof openDatabase>['db'],
  count: number,
  logIn: (email: string) => Promise<{ body: Record<string, string> }>,
  signUp: (email: string) => Promise<unknown>,
): Promise<string[]> {
  await signUp('visitor0@example.org')
  const tokens: string[] = []
  for (let n = 0; n < count; n++) {
    const email = `visitor${n}@example.org`
    if (n > 0)
      await sql`
        insert into accounts (account_id, kind, role, email, email_folded, display_name, language, password_hash,
          created_at)
        select ${newId()}::uuid, kind, role, ${email}, ${email}, display_name, language, password_hash, created_at
        from accounts where email_folded = 'visitor0@example.org'`.execute(db)
    tokens.push((await logIn(email)).body['authToken'] ?? '')
  }
  return tokens
}
