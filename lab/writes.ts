import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { builtServer, startServer } from '../test/built-server.ts'
import { startBareServer } from './bare.ts'
import { temporaryFolder } from './folder.ts'
import { count, type Row } from './report.ts'
import { buildTown, query } from './town.ts'

const password = 'lanterns over the river'
const turns = 3

/** P5: new deals of 32 logged-in merchants, beside a bare insert of the same row; the pair with the median ratio. */
export async function writeRows(seconds: number): Promise<Row[]> {
  await using town = await buildTown(1000)
  using folder = temporaryFolder()
  const env = { DATABASE_URL: town.url, DATA_DIR: folder.path, TRUST_PROXY: 'on' }
  await using app = await startServer(builtServer, env, { probe: '/readyz' })
  const merchants: Merchant[] = []
  for (let n = 0; n < 32; n++) merchants.push(await aMerchant(app.base, `bar-${n}@example.org`))
  await query(town.url, `update businesses set subscription_tier = 'ULTIMATE'`)
  await using bare = await startBareServer(town.url, {
    kind: 'pg',
    statements: merchants.map(({ businessId }) => ({ sql: insert, parameters: [businessId] })),
  })
  const body = JSON.stringify({ deal_name: 'Spritz on the river', price: '8.50', category: 'drinks', draft: true })
  let sent = 0
  // in turn: requests of one merchant would wait for each other
  const headers = () => ({
    authorization: `Bearer ${merchants[sent++ % merchants.length]!.authToken}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  })
  const pairs: { ours: Writes; bare: Writes }[] = []
  for (let turn = 0; turn < turns; turn++) {
    // otherwise merchants would reach their limit of deals
    await query(town.url, `delete from deals where deal_name = 'Spritz on the river'`)
    pairs.push({
      ours: await post(app.base, seconds, { path: '/api/deals', body }, headers),
      bare: await post(bare.base, seconds, { path: '/' }, () => ({})),
    })
  }
  const ratioOf = ({ ours, bare: theirs }: (typeof pairs)[number]) => ours.perSecond / theirs.perSecond
  const pair = pairs.toSorted((a, b) => ratioOf(a) - ratioOf(b))[turns >> 1]!
  return [
    {
      what: 'P5 a new deal by a merchant, beside a bare insert of the same row',
      ours: `${count(pair.ours.perSecond)}/s (${pair.ours.failed} failed)`,
      beside: `${count(pair.bare.perSecond)}/s`,
      bar: `${ratioOf(pair).toFixed(2)} ≥ 0.35`,
      met: ratioOf(pair) >= 0.35 && pair.ours.failed === 0,
    },
  ]
}

const insert = `insert into deals (deal_id, business_id, deal_name, price, price_rappen, category, state, created_at, updated_at)
  values (gen_random_uuid(), $1, 'Spritz on the river', '8.50', 850, 'drinks', 'draft', now(), now()) returning *`

interface Merchant {
  businessId: string
  authToken: string
}

async function aMerchant(base: string, email: string): Promise<Merchant> {
  const form = new FormData()
  for (const [key, value] of Object.entries({ business_name: email, email, password })) form.set(key, value)
  await fetch(`${base}/api/business/signup`, { method: 'POST', body: form })
  const login = await fetch(`${base}/api/business/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return (await login.json()) as Merchant
}

interface Writes {
  perSecond: number
  failed: number
}

async function post(
  base: string,
  duration: number,
  request: { path: string; body?: string },
  headers: () => Record<string, string>,
): Promise<Writes> {
  const setupRequest = (each: { path: string }) => ({ ...each, headers: headers() })
  const requests = [{ ...request, method: 'POST', setupRequest }]
  const found = await autocannon({ url: base, connections: 32, duration, requests })
  return { perSecond: found.requests.average, failed: found.errors + found.non2xx }
}
