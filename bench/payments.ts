import { createHmac, randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../src/kit/server/database.ts'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { openKeyring } from '../src/kit/server/keyring.ts'
import type { ProviderEvent } from '../src/payments/server/facts.ts'
import { aCustomer, endState, eventOf, historyOf, shuffledEvents } from '../test/payment-histories.ts'
import { startServer, type RunningServer } from './servers.ts'
import { socketUrl } from './town.ts'

export interface Paying {
  shuffles: number
  /** Shuffles that ended as the history in its true order did. */
  alike: number
  events: number
  /** Events that were not answered by 200. */
  refused: number
  /** An event, p99, ms. */
  p99Ms: number
  seconds: number
  /** What many clicks at once on two instances left behind. */
  clicks: { what: string; parallel: number; pages: number; open: number; transactions: number; strange: number }[]
  /** Rappen; of all that was posted. */
  ledgerSum: number
}

const secretKey = 'a secret of the bench, which nobody else has to know'
const password = 'lanterns over the river'
const flags = ['--max-old-space-size=768']
/** Events under way at a time. */
const workers = 6

/** R9 and R10 over two instances of the test provider: shuffled histories of payments, and `parallel` clicks at once. */
export async function measurePayments(shuffles: number, parallel: number): Promise<Paying> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-payments-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') })
  const url = socketUrl(postgres)
  const { db, pool } = openDatabase({ connectionString: url })
  const servers: RunningServer[] = []
  const start = async (env: Record<string, string> = {}) => {
    const DATA_DIR = join(folder, `instance${servers.length}`)
    const own = { DATABASE_URL: url, DATA_DIR, SECRET_KEY: secretKey, DEMO_DATA: 'off', PAYMENTS: 'test', ...env }
    servers.push(await startServer('build/app/main.mjs', own, { probe: '/readyz', nodeArgs: flags }))
    return servers.at(-1)!
  }
  try {
    const two = [await start(), await start()]
    const shuffled = await tellShuffled(db, two, shuffles)
    const hosted = [await start({ TEST_PAYMENTS: 'checkout' }), await start({ TEST_PAYMENTS: 'checkout' })]
    const clicks = [
      await click(db, two, 'upgrade', parallel),
      await click(db, hosted, 'upgrade on the hosted page', parallel),
      await click(db, hosted, 'promotion', parallel),
    ]
    const { rows } = await sql<{ sum: number }>`
      select coalesce(sum(amount_rappen), 0)::int as sum from ledger_entries`.execute(db)
    return { shuffles, ...shuffled, clicks, ledgerSum: rows[0]!.sum }
  } finally {
    await pool.end()
    for (const server of servers) await server.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tellShuffled(db: Database, instances: RunningServer[], shuffles: number) {
  const where = { secretKey, oldSecretKey: null, dataDir: '', embedded: false }
  const key = (await openKeyring(db, where, async () => {})).keyFor('test-payments')
  const took: number[] = []
  const found = { alike: 0, events: 0, refused: 0 }
  const tell = async (events: ProviderEvent[]) => {
    for (const event of events) {
      const body = JSON.stringify(event)
      const seconds = Math.floor(Date.now() / 1000)
      const signature = `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`
      const began = performance.now()
      const { status } = await fetch(`${instances[randomInt(instances.length)]!.base}/api/payments/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body,
      })
      took.push(performance.now() - began)
      found.events++
      if (status !== 200) found.refused++
    }
  }
  const begun = Date.now()
  const inOrder = await aCustomer(db, 'In order')
  await tell(historyOf(inOrder, begun).map((fact, n) => eventOf([fact], `${inOrder.id}_${n}`)))
  const expected = await endState(db, inOrder)
  let next = 0
  const worker = async () => {
    while (next < shuffles) {
      const customer = await aCustomer(db, `Shuffle ${next++}`)
      await tell(shuffledEvents(historyOf(customer, begun), customer.id))
      if ((await endState(db, customer)) === expected) found.alike++
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  const p99Ms = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)]!
  return { ...found, p99Ms, seconds: (Date.now() - begun) / 1000 }
}

async function click(db: Database, instances: RunningServer[], what: string, parallel: number) {
  const email = `${what.replaceAll(' ', '-')}@example.org`
  const form = new FormData()
  for (const [name, value] of Object.entries({ business_name: 'Bar Nord', email, password })) form.set(name, value)
  await fetch(`${instances[0]!.base}/api/business/signup`, { method: 'POST', body: form })
  const ask = async (n: number, path: string, body: object | null, token = '') => {
    const answer = await fetch(instances[n % instances.length]!.base + path, {
      method: 'POST',
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, string> }
  }
  const { authToken, businessId } = (await ask(0, '/api/business/login', { email, password })).body
  const answers = await Promise.all(
    Array.from({ length: parallel }, (_, n) =>
      what === 'promotion'
        ? ask(n, '/api/payments/create-promo-session', null, authToken)
        : ask(n, '/api/business/upgrade', { newTier: 'PREMIUM' }, authToken),
    ),
  )
  const urls = answers.flatMap(({ body }) => (body['sessionUrl'] ? [new URL(body['sessionUrl']).pathname] : []))
  const { rows } = await sql<{ open: number; transactions: number }>`
    select (select count(*)::int from checkouts where business_id = ${businessId}::uuid
        and status in ('opening', 'open')) as open,
      (select count(*)::int from ledger_transactions where business_id = ${businessId}::uuid) as transactions`.execute(
    db,
  )
  const strange = answers.filter(({ status }) => status !== 200 && status !== 503).length
  return { what, parallel, pages: new Set(urls).size, ...rows[0]!, strange }
}
