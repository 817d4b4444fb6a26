import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtServer, startServer } from '../test/built-server.ts'
import { startLoad } from '../test/load.ts'
import { openCheckout, ownRoot } from './checkouts.ts'
import { startDatabase, temporaryFolder } from './folder.ts'
import { count, plain, seconds, type Row } from './report.ts'
import { query } from './town.ts'

/** The newest tag. */
export function releaseBefore(): string {
  return execFileSync('git', ['describe', '--tags', '--abbrev=0'], { cwd: ownRoot, encoding: 'utf8' }).trim()
}

/**
 * R18: an instance of the previous release and one of this version on one database, which this version has migrated, with 50 reads and 50
 * writes per second. Then every operation of the old version's OpenAPI document is called.
 */
export async function rollingRows(before: string, forSeconds: number): Promise<Row[]> {
  using checkout = openCheckout(before)
  await using database = await startDatabase()
  using folder = temporaryFolder()
  const start = (cwd: string, name: string) => {
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: join(folder.path, name),
      DEMO_DATA: 'on',
      PAYMENTS: 'test',
      TRUST_PROXY: 'on',
      LOG_LEVEL: 'silent',
      SECRET_KEY: 'the same on both instances, for this measurement',
    }
    return startServer(builtServer, env, { probe: '/readyz', cwd })
  }
  const migrations = async () =>
    (await query<{ n: number }>(database.url, 'select count(*)::int as n from kysely_migration'))[0]!.n
  await using old = await start(checkout.root, 'old')
  const migrationsBefore = await migrations()
  await using current = await start(ownRoot, 'current')
  const load = await startLoad([old.base, current.base], { perSecond: 50 })
  await sleep(forSeconds * 1000)
  const asked = await load.stop()
  const failed = asked.filter(({ status }) => status === 0 || status >= 500)
  const slowestMs = Math.max(...asked.map(({ beganAt, endedAt }) => endedAt - beganAt))
  const operations = await askEverything(old.base)
  for (const each of operations.broken) console.log(`  ${each}`)
  return [
    plain(
      `R18 ${before} and this version on one database, ${(await migrations()) - migrationsBefore} new migrations: of ${count(asked.length)} requests 5xx or unanswered; slowest`,
      `${failed.length}; ${seconds(slowestMs)}`,
      '0',
      failed.length === 0,
    ),
    plain(
      `R18 ${before} on the new schema: of ${operations.asked} requests of guests, visitors and merchants 5xx or unanswered`,
      `${operations.broken.length}`,
      '0',
      operations.broken.length === 0,
    ),
  ]
}

const password = 'lanterns over the river'
/** Has the fields of most endpoints; each ignores the others, or answers that they are invalid. */
const anyBody = {
  name: 'Lena',
  message: 'Where is the lost and found?',
  language: 'en',
  text: 'Lanterns on the river tonight',
  body: 'Lanterns on the river tonight',
  title: 'Lanterns on the river',
  category: 'food-deals',
  deal_name: 'Coffee',
  price_chf: 4,
  reason: 'spam',
  token: 'x'.repeat(43),
  code: '12345678',
  days: 1,
  stars: 4,
  idempotency_key: randomUUID(),
}

/** Calls every operation of the OpenAPI document as guest, visitor and merchant, with ids of the demo and of a new merchant. */
async function askEverything(base: string): Promise<{ asked: number; broken: string[] }> {
  const broken = new Set<string>()
  let asked = 0
  const ask = async (method: string, path: string, body?: object, token?: string) => {
    asked++
    const isForm = body instanceof FormData
    try {
      const answer = await fetch(base + path, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(path.startsWith('/api/stream') ? 1000 : 20_000),
        headers: {
          'x-forwarded-for': `10.201.${asked >> 8}.${asked & 255}`,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      })
      // on a busy machine 503 is allowed
      if (answer.status >= 500 && answer.status !== 503) broken.add(`${method} ${path} ${answer.status}`)
      return path.startsWith('/api/stream') ? null : ((await answer.json().catch(() => null)) as unknown)
    } catch (error) {
      if (!path.startsWith('/api/stream')) broken.add(`${method} ${path} ${String(error)}`)
      return null
    }
  }
  const lena = { email: 'lena-walks@example.org', password }
  await ask('POST', '/api/auth/signup', { display_name: 'Lena', accepts_terms: true, ...lena })
  const visitor = (await ask('POST', '/api/auth/login', lena)) as { authToken?: string } | null
  const form = new FormData()
  const owner = { email: 'bar-walks@example.org', password }
  for (const [key, value] of Object.entries({ business_name: 'Bar Nord', ...owner })) form.set(key, value)
  await ask('POST', '/api/business/signup', form)
  const merchant = (await ask('POST', '/api/business/login', owner)) as {
    authToken?: string
    businessId?: string
  } | null
  const ids: Record<string, string> = {
    business_id: merchant?.businessId ?? randomUUID(),
    kind: 'deal',
    handle: 'lena',
  }
  for (const [name, path] of Object.entries({ deal_id: 'deals', event_id: 'events', topic_id: 'forum/topics' }))
    ids[name] = ((await ask('GET', `/api/${path}?limit=1`)) as Record<string, string>[])[0]![name]!
  ids['id'] = ids['deal_id']!
  const document = await (await fetch(`${base}/api/openapi.json`)).json()
  for (const token of [undefined, visitor?.authToken, merchant?.authToken])
    for (const [path, methods] of Object.entries((document as { paths: Record<string, object> }).paths))
      for (const method of Object.keys(methods)) {
        // these would end the session
        if (/logout|\/me$|sessions|password|email/.test(path) && method !== 'get') continue
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? randomUUID())
        await ask(method.toUpperCase(), filled, ['post', 'put', 'patch'].includes(method) ? anyBody : undefined, token)
      }
  return { asked, broken: [...broken] }
}
