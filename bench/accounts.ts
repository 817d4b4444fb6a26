import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { logIn, sequences, signUp, type Sequence, type StrangersCall } from '../test/account-sequences.ts'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { startServer, type RunningServer } from './servers.ts'
import { socketUrl } from './town.ts'

/** How well the time of an answer tells a known address from an unknown one (RELIABILITY S6). */
export interface Telling {
  what: string
  /** Of each kind. */
  asked: number
  /** Area under the curve of a classifier by time alone: 0.5 is a coin, 1 knows. */
  auc: number
  /** Median of the answers for known and for unknown addresses, ms. */
  knownMs: number
  unknownMs: number
  /** Status, headers and body are the same for all; of a sequence the statuses, in their order. */
  alike: boolean
}

export interface Race {
  rounds: number
  /** Rounds that left exactly one account, and for merchants exactly one business. */
  clean: number
  /** Answers other than 201. */
  strange: number
}

const flags = ['--max-old-space-size=768']
const password = randomBytes(12).toString('hex')

/**
 * Both questions on a fresh database with two instances; `asked` addresses of each kind for a single call, a third of them for
 * a sequence of calls, `rounds` races.
 */
export async function measureAccounts(asked: number, rounds: number): Promise<{ tellings: Telling[]; race: Race }> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-accounts-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') })
  const url = socketUrl(postgres)
  const db = new pg.Client({ connectionString: url })
  const apps: RunningServer[] = []
  try {
    for (const name of ['one', 'two']) {
      // each call comes from another address, or the limits of one address would answer
      const env = { DATABASE_URL: url, DATA_DIR: join(folder, name), TRUST_PROXY: 'on', DEMO_DATA: 'off' }
      apps.push(await startServer('build/app/main.mjs', env, { probe: '/readyz', nodeArgs: flags }))
    }
    await db.connect()
    const tellings = await tellApart(apps[0]!, db, asked)
    for (const [n, sequence] of sequences.entries())
      tellings.push(await tellBySequence(apps[0]!, db, sequence, { n, asked: Math.ceil(asked / 3) }))
    return { tellings, race: await sameAddress(apps, db, rounds) }
  } finally {
    await db.end()
    for (const app of apps) await app.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const visitor = (email: string) => ({ display_name: 'Bench', email, password, accepts_terms: true })
const merchant = (email: string) => ({ business_name: 'Bench', email, password })

const questions: Record<string, { path: string; body: (email: string) => object }> = {
  'login of visitors': { path: '/api/auth/login', body: (email) => ({ email, password: 'a wrong guess' }) },
  'login of merchants': { path: '/api/business/login', body: (email) => ({ email, password: 'a wrong guess' }) },
  'signup of visitors': { path: '/api/auth/signup', body: visitor },
  'signup of merchants': { path: '/api/business/signup', body: merchant },
  'forgotten password': { path: '/api/auth/forgot', body: (email) => ({ email }) },
}

/** Known and unknown addresses in pairs of random order. */
async function tellApart(app: RunningServer, db: pg.Client, asked: number): Promise<Telling[]> {
  const known = Array.from({ length: asked }, (_, n) => `known${n}@example.org`)
  for (const email of known) {
    await ask(app, '/api/auth/signup', visitor(email))
    await ask(app, '/api/business/signup', merchant(email))
  }
  const tellings: Telling[] = []
  for (const [what, { path, body }] of Object.entries(questions)) {
    await untilMailsHaveLeft(db)
    const times = { known: [] as number[], unknown: [] as number[] }
    const answers = new Set<string>()
    for (const [n, email] of known.entries()) {
      const pair = [
        ['known', email],
        ['unknown', `new${n}-${path.replaceAll('/', '')}@example.org`],
      ] as const
      for (const [kind, address] of Math.random() < 0.5 ? pair : pair.toReversed()) {
        const { ms, answer } = await ask(app, path, body(address))
        times[kind].push(ms)
        answers.add(answer)
      }
    }
    tellings.push({
      what,
      asked,
      auc: areaUnderCurve(times.known, times.unknown),
      knownMs: median(times.known),
      unknownMs: median(times.unknown),
      alike: answers.size === 1,
    })
  }
  return tellings
}

/** The same for the time of a whole sequence of calls; what the stranger has beforehand is made before it is measured. */
async function tellBySequence(
  app: RunningServer,
  db: pg.Client,
  sequence: Sequence,
  { n, asked }: { n: number; asked: number },
): Promise<Telling> {
  const times = { known: [] as number[], unknown: [] as number[] }
  const answers = { known: new Set<string>(), unknown: new Set<string>() }
  const kinds = ['known', 'fresh'] as const
  const people = Array.from({ length: asked }, (_, m) => kinds.map((kind) => `${kind}-${n}-${m}@example.org`))
  const tokens = new Map<string, string | undefined>()
  for (const [m, pair] of people.entries())
    for (const [which, address] of pair.entries()) {
      if (which === 0) await callOf(app, signUp(sequence.hidden, address))
      const mine = sequence.own ?? sequence.elsewhere
      const at = sequence.own ? address : `own-${n}-${m}-${which}@example.org`
      if (mine) await callOf(app, signUp(mine, at))
      const login = mine && (await callOf(app, logIn(mine, at)))
      tokens.set(address, login && String((JSON.parse(login.text) as { authToken: string }).authToken))
    }
  await untilMailsHaveLeft(db)
  for (const pair of people) {
    const named = [['known', pair[0]!] as const, ['unknown', pair[1]!] as const]
    for (const [kind, address] of Math.random() < 0.5 ? named : named.toReversed()) {
      let ms = 0
      const seen: string[] = []
      await sequence.run(
        async (call) => {
          const answer = await callOf(app, call)
          ms += answer.ms
          seen.push(String(answer.status))
          return { status: answer.status, body: {} }
        },
        { address, token: tokens.get(address) },
      )
      times[kind].push(ms)
      answers[kind].add(seen.join(' '))
    }
  }
  return {
    what: sequence.title,
    asked,
    auc: areaUnderCurve(times.known, times.unknown),
    knownMs: median(times.known),
    unknownMs: median(times.unknown),
    alike: [...answers.known].sort().join() === [...answers.unknown].sort().join(),
  }
}

let asks = 0

/** The time of the answer, and all of it that is not of this very request. */
const ask = (app: RunningServer, path: string, body: object) => callOf(app, { path, body: { ...body } })

async function callOf({ base }: RunningServer, { path, method = 'POST', body, form, token }: StrangersCall) {
  const from = `198.18.${(++asks >> 8) % 256}.${asks % 256}`
  const parts = new FormData()
  for (const [name, value] of Object.entries(form ?? {})) parts.set(name, value)
  const began = performance.now()
  const answer = await fetch(base + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      'x-forwarded-for': from,
    },
    ...(body ? { body: JSON.stringify(body) } : form ? { body: parts } : {}),
  })
  const text = await answer.text()
  const ms = performance.now() - began
  const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name))
  return { ms, status: answer.status, text, answer: JSON.stringify([answer.status, headers, text]) }
}

/** The chance that a known address takes longer than an unknown one, or the other way round: what is further from a half. */
function areaUnderCurve(known: number[], unknown: number[]): number {
  let longer = 0
  for (const a of known) for (const b of unknown) longer += a > b ? 1 : a === b ? 0.5 : 0
  const auc = longer / (known.length * unknown.length)
  return Math.max(auc, 1 - auc)
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!
}

async function untilMailsHaveLeft(db: pg.Client) {
  for (let tries = 0; tries < 600; tries++) {
    const { rows } = await db.query<{ n: number }>('select count(*)::int as n from outgoing_mails')
    if (rows[0]!.n === 0) return
    await wait(200)
  }
  throw new Error('The mails have not left within two minutes.')
}

const racers = 200

/** 200 signups with one address at once, over two instances (RELIABILITY R14). */
async function sameAddress(apps: RunningServer[], db: pg.Client, rounds: number): Promise<Race> {
  const race = { rounds, clean: 0, strange: 0 }
  for (let round = 0; round < rounds; round++) {
    const email = `race${round}@example.org`
    const isMerchant = round % 2 === 1
    const path = isMerchant ? '/api/business/signup' : '/api/auth/signup'
    const body = isMerchant ? { ...merchant(email), business_name: email } : visitor(email)
    const answers = await Promise.all(Array.from({ length: racers }, (_, n) => ask(apps[n % apps.length]!, path, body)))
    race.strange += answers.filter(({ status }) => status !== 201).length
    const { rows } = await db.query<{ accounts: number; businesses: number }>(
      `select (select count(*)::int from accounts where email_folded = $1) as accounts,
        (select count(*)::int from businesses where business_name = $1) as businesses`,
      [email],
    )
    const { accounts, businesses } = rows[0]!
    if (accounts === 1 && businesses === (isMerchant ? 1 : 0)) race.clean++
  }
  return race
}
