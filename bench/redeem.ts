import { sql } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../src/kit/server/database.ts'
import { newId } from '../src/kit/server/ids.ts'
import { startServer, type RunningServer } from './servers.ts'
import { buildTown } from './town.ts'

/** What became of the last item of deals. */
export interface LastItems {
  rounds: number
  /** Rounds in the middle of which the database was restarted; whoever got no answer asked again. */
  restarts: number
  /** Rounds in which exactly one got it, by the answers and by the database. */
  claimed: number
  redeemed: number
  /** Answers other than 201, 409 and (of tills that take turns) 429, by status; with a restart 503 is none of them. */
  strange: Record<string, number>
  /** From the first request of a round without a restart to its last answer. */
  slowestMs: number
}

const password = 'lanterns over the river'

/** R14: `parallel` visitors claim the last item at once, and as many tills redeem its code, over two instances. */
export async function measureLastItems(parallel: number, rounds: number, restarts: number): Promise<LastItems> {
  const town = await buildTown(1000)
  const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'rheinklang-bench-redeem-')))
  const { db, pool } = openDatabase({ connectionString: town.url })
  const instances: RunningServer[] = []
  try {
    for (const folder of folders)
      instances.push(
        await startServer('build/app/main.mjs', { DATABASE_URL: town.url, DATA_DIR: folder }, { probe: '/readyz' }),
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
    /** As a phone does: again, for a while, when no answer came or the database is away. */
    const insist: typeof ask = async (...call) => {
      const until = performance.now() + 30_000
      for (;;) {
        const answer = await ask(...call).catch(() => null)
        if (answer && answer.status !== 503) return answer
        if (performance.now() > until) return answer ?? { status: 0, body: {} }
        await sleep(100)
      }
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
    const found: LastItems = { rounds: rounds + restarts, restarts, claimed: 0, redeemed: 0, strange: {}, slowestMs: 0 }
    const all = async (isRestarted: boolean, send: (n: number) => ReturnType<typeof ask>) => {
      const began = performance.now()
      const answers = Promise.all(Array.from({ length: parallel }, (_, n) => send(n)))
      if (isRestarted) await town.restart()
      const given = await answers
      if (!isRestarted) found.slowestMs = Math.max(found.slowestMs, performance.now() - began)
      for (const { status, body } of given)
        if (![201, 409, 429].includes(status)) {
          const key = `${status} ${body['code'] ?? ''}`.trim()
          found.strange[key] = (found.strange[key] ?? 0) + 1
        }
      return given.filter(({ status }) => status === 201)
    }
    const rowsOf = async (table: 'claims' | 'redemptions', deal: string) => {
      const rows = await db.selectFrom(table).select('deal_id').where('deal_id', '=', deal).execute()
      return rows.length
    }
    for (let round = 0; round < found.rounds; round++) {
      const isRestarted = round >= rounds
      const send = isRestarted ? insist : ask
      const deal = newId()
      await sql`
        insert into deals (deal_id, business_id, deal_name, redemption_mode, total_limit, created_at, updated_at)
        values (${deal}, ${merchant['businessId']}::uuid, 'The last one', 'code', 1, now(), now())`.execute(db)
      const winners = await all(isRestarted, (n) => send(n, `/api/deals/${deal}/claim`, {}, tokens[n]))
      if (winners.length === 1 && (await rowsOf('claims', deal)) === 1) found.claimed++
      const payload = winners[0]?.body['qr_payload']
      // its code is checked once, and then redeemed by all tills at the same moment
      const { ticket } = (await insist(0, '/api/redemptions/check', { payload }, merchant['authToken'])).body
      const redeemed = await all(isRestarted, (n) => {
        const body = { ticket, amount_chf: 1, idempotency_key: `${deal} ${n}` }
        return send(n, '/api/redemptions', body, merchant['authToken'])
      })
      if (redeemed.length === 1 && (await rowsOf('redemptions', deal)) === 1) found.redeemed++
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
