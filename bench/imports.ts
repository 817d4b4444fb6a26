import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { startSession } from '../src/accounts/server/sessions.ts'
import { systemClock } from '../src/kit/server/clock.ts'
import { openDatabase } from '../src/kit/server/database.ts'
import { openKeyring } from '../src/kit/server/keyring.ts'
import { startServer } from './servers.ts'
import { buildTown } from './town.ts'
import { visit, type Visits } from './visitors.ts'

const deals = 10_000
/** Four visitors who look at the page of deals and at its list, one after the other. */
const visitors = 4
const pauseMs = 10

export interface ImportFigures {
  /** Visitors alone. */
  calmP99Ms: number
  imports: ImportFigure[]
}

export interface ImportFigure {
  file: string
  mb: number
  /** From sending the file to the answer. */
  importMs: number
  /** Of the import, and what it said. */
  status: number
  answer: string
  /** Of visitors meanwhile. */
  p99Ms: number
  asked: number
  /** Not answered with 200. */
  failed: number
}

/** Visitors while staff import a file: one made to be slow, and large honest ones. `script`: what the server starts with. */
export async function measureImports(script: string): Promise<ImportFigures> {
  console.log(`\nImports in a town with ${deals.toLocaleString('en')} deals …`)
  const town = await buildTown(deals)
  const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-bench-imports-'))
  const server = await startServer(script, { DATABASE_URL: town.url, DATA_DIR: dataDir }, { probe: '/readyz' })
  try {
    const token = await staffToken(town.url, dataDir)
    // compiled code, not answers
    await visitWhile(server.base, pauseFor(2000))
    const calm = await visitWhile(server.base, pauseFor(5000))
    const imports: ImportFigure[] = []
    for (const [file, content] of files()) imports.push(await besideImport(server.base, token, file, content))
    return { calmP99Ms: calm.p99Ms, imports }
  } finally {
    await server.stop()
    await town.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const pauseFor = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** An event of an ordinary length. */
const words = (n: number) => `${'Lorem ipsum dolor sit amet. '.repeat(40)}${n}`

function* files(): Generator<[name: string, content: string]> {
  const event = (n: number, hour = 10) =>
    `BEGIN:VEVENT\r\nUID:${n}\r\nSUMMARY:Set ${n}\r\nLOCATION:Stage ${n % 40}\r\nDESCRIPTION:${words(n)}\r\nDTSTART:20261126T${hour + (n % 12)}0000Z\r\nEND:VEVENT\r\n`
  const calendar = (events: string) => `BEGIN:VCALENDAR\r\n${events}END:VCALENDAR\r\n`
  const row = (n: number) => `${n},Set ${n},2026-11-26 ${10 + (n % 12)}:00,Stage ${n % 40},Band ${n},"${words(n)}"`
  const upTo = (most: number) => Array.from({ length: most }, (_, n) => n)
  const parameters = ';A="b"'.repeat((5 * 2 ** 20) / 6)
  yield ['parameters.ics', calendar(`BEGIN:VEVENT\r\nUID:1\r\nSUMMARY${parameters}:x\r\nEND:VEVENT\r\n`)]
  yield ['brackets.json', `[${'{},'.repeat(2_000_000)}{}]`]
  yield ['honest.csv', `id,title,starts_at,stage,performers,description\n${upTo(5000).map(row).join('\n')}`]
  for (const [name, hour] of [['honest.ics', 10] as const, ['honest.ics an hour later', 11] as const])
    yield [
      name,
      calendar(
        upTo(2000)
          .map((n) => event(n, hour))
          .join(''),
      ),
    ]
}

async function besideImport(base: string, token: string, file: string, content: string): Promise<ImportFigure> {
  const form = new FormData()
  form.set('file', new Blob([content]), file)
  form.set('source', file.split(' ', 1)[0]!)
  // who changes several known events says how many
  if (file.endsWith('later')) form.set('confirmed', '2000')
  const began = performance.now()
  const sent = fetch(`${base}/api/admin/events/import`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}` },
  })
  const asked = sent
    .then(async (answer) => ({
      status: answer.status,
      body: (await answer.json()) as { error?: string; counts?: object },
    }))
    .catch(() => ({ status: 0, body: { error: 'no answer' } }))
    .then((answer) => ({ ...answer, importMs: performance.now() - began }))
  // the jobs after an import are part of it
  const visits = await visitWhile(
    base,
    asked.then(() => pauseFor(3000)),
  )
  const { status, body, importMs } = await asked
  const all = [...visits.statuses.values()].reduce((sum, count) => sum + count, 0)
  return {
    file,
    mb: content.length / 2 ** 20,
    importMs,
    status,
    answer: 'counts' in body ? JSON.stringify(body.counts) : (body.error ?? ''),
    p99Ms: visits.p99Ms,
    asked: all,
    failed: all - (visits.statuses.get(200) ?? 0),
  }
}

/** Until the work is over, but a minute at most. */
async function visitWhile(base: string, work: Promise<unknown>): Promise<Visits> {
  const enough = new AbortController()
  const limit = setTimeout(() => enough.abort(), 60_000)
  const visits = visit(base, paths(), { connections: visitors, until: enough.signal, pauseMs })
  await work
  clearTimeout(limit)
  enough.abort()
  return visits
}

/** Other lists each time, so that they are not answered from a cache; 50,000 at most. */
function* paths(): Generator<string> {
  for (let n = 0; n < 25_000; n++) {
    yield '/deals'
    yield `/api/deals?limit=20&offset=${n % 1000}`
  }
}

/** Of a moderator with a second factor. */
async function staffToken(url: string, dataDir: string): Promise<string> {
  const { db } = openDatabase({ connectionString: url }, { patient: true })
  try {
    const { rows } = await sql<{ account_id: string }>`
      insert into accounts (account_id, kind, role, email, email_folded, display_name, language, verified_at, created_at,
        accepted_terms_at, totp_secret)
      values (gen_random_uuid(), 'user', 'moderator', 'mo@example.org', 'mo@example.org', 'Mo', 'en', now(), now(), now(),
        'secret')
      returning account_id`.execute(db)
    const where = { secretKey: null, oldSecretKey: null, dataDir, embedded: false }
    const room = { clock: systemClock, keyring: await openKeyring(db, where, async () => {}) }
    const owner = {
      account_id: rows[0]!.account_id,
      role: 'moderator',
      business_id: null,
      password_hash: null,
    } as const
    return (await startSession(room, db, owner, 'bench'))!.authToken
  } finally {
    await db.destroy()
  }
}
