import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtServer, startServer } from '../test/built-server.ts'
import { startDatabase, temporaryFolder } from './folder.ts'
import { median, plain, type Row } from './report.ts'
import { query } from './town.ts'

const password = randomBytes(12).toString('hex')
const visitor = (email: string) => ({ display_name: 'Lena', email, password, accepts_terms: true })
const merchant = (email: string) => ({ business_name: 'Bar Nord', email, password })

const questions: Record<string, { path: string; body: (email: string) => object }> = {
  'login of visitors': { path: '/api/auth/login', body: (email) => ({ email, password: 'a wrong guess' }) },
  'login of merchants': { path: '/api/business/login', body: (email) => ({ email, password: 'a wrong guess' }) },
  'signup of visitors': { path: '/api/auth/signup', body: visitor },
  'signup of merchants': { path: '/api/business/signup', body: merchant },
  'forgotten password': { path: '/api/auth/forgot', body: (email) => ({ email }) },
}

/** S6: whether an answer, or its time, tells known email addresses from unknown ones. Each pair is asked in random order. */
export async function accountRows(addresses: number): Promise<Row[]> {
  await using database = await startDatabase()
  using folder = temporaryFolder()
  // each call comes from another IP address, so that no limit is reached
  const env = { DATABASE_URL: database.url, DATA_DIR: folder.path, TRUST_PROXY: 'on', DEMO_DATA: 'off' }
  await using app = await startServer(builtServer, env, { probe: '/readyz' })
  const known = Array.from({ length: addresses }, (_, n) => `known${n}@example.org`)
  for (const email of known) {
    await ask(app.base, '/api/auth/signup', visitor(email))
    await ask(app.base, '/api/business/signup', merchant(email))
  }
  const rows: Row[] = []
  for (const [what, { path, body }] of Object.entries(questions)) {
    await untilMailsHaveLeft(database.url)
    const times = { known: [] as number[], unknown: [] as number[] }
    const answers = new Set<string>()
    for (const [n, email] of known.entries()) {
      const pair = [
        ['known', email],
        ['unknown', `new${n}-${path.replaceAll('/', '')}@example.org`],
      ] as const
      for (const [kind, address] of Math.random() < 0.5 ? pair : pair.toReversed()) {
        const { ms, answer } = await ask(app.base, path, body(address))
        times[kind].push(ms)
        answers.add(answer)
      }
    }
    const auc = areaUnderCurve(times.known, times.unknown)
    rows.push(
      plain(
        `S6 ${what}: classifier by time, of ${addresses} known and ${addresses} unknown addresses; medians; kinds of answers`,
        `AUC ${auc.toFixed(3)}; ${median(times.known).toFixed(1)} and ${median(times.unknown).toFixed(1)} ms; ${answers.size}`,
        '≤ 0.60; 1',
        auc <= 0.6 && answers.size === 1,
      ),
    )
  }
  return rows
}

let asks = 0

/** The time of an answer, and the answer without headers that differ for every request. */
async function ask(base: string, path: string, body: object) {
  const from = `198.18.${(++asks >> 8) % 256}.${asks % 256}`
  const began = performance.now()
  const answer = await fetch(base + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  const ms = performance.now() - began
  const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name))
  return { ms, answer: JSON.stringify([answer.status, headers, text]) }
}

/** The chance that a known address takes longer than an unknown one, or its opposite: the larger of the two. */
function areaUnderCurve(known: number[], unknown: number[]): number {
  let longer = 0
  for (const a of known) for (const b of unknown) longer += a > b ? 1 : a === b ? 0.5 : 0
  const auc = longer / (known.length * unknown.length)
  return Math.max(auc, 1 - auc)
}

async function untilMailsHaveLeft(url: string) {
  for (let tries = 0; tries < 600; tries++) {
    const [row] = await query<{ n: number }>(url, 'select count(*)::int as n from outgoing_mails')
    if (row!.n === 0) return
    await sleep(200)
  }
  throw new Error('The mails have not left within two minutes.')
}
