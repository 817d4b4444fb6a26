import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../src/kit/server/ids.ts'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { mailSink } from './mail-sink.ts'
import { startServer, type RunningServer } from './servers.ts'
import { socketUrl } from './town.ts'

/** Whether reminders that are due at once are told exactly once by several instances (RELIABILITY R11, R12). */
export interface Reminding {
  due: number
  instances: number
  kills: number
  /** Reminders with exactly one notification in the app. */
  toldOnce: number
  /** Reminders with none, and with more than one. */
  lost: number
  doubled: number
  mailsLost: number
  /** Mails that came more than once, and how many of those with another Message-ID. */
  mailsDoubled: number
  otherMessageIds: number
  /** From the moment at which they were due until the last was told in the app, and until the last mail had come, s. */
  toldS: number
  mailedS: number
}

const flags = ['--max-old-space-size=768']
const patienceMs = 5 * 60_000

/** `due` people with one reminder each, due at the same moment, in the app and by mail; `kills` times kill -9 of one instance. */
export async function measureReminders(due: number, instances: number, kills: number): Promise<Reminding> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-reminders-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') })
  const url = socketUrl(postgres)
  const db = new pg.Client({ connectionString: url })
  const mails = await mailSink()
  const servers: RunningServer[] = []
  const start = (n: number) =>
    startServer(
      'build/app/main.mjs',
      {
        DATABASE_URL: url,
        DATA_DIR: join(folder, `instance${n}`),
        SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
        MAIL_FROM: 'Rheinklang <bench@example.org>',
        DEMO_DATA: 'off',
      },
      { probe: '/readyz', nodeArgs: flags },
    )
  try {
    for (let n = 0; n < instances; n++) servers.push(await start(n))
    await db.connect()
    const dueAt = Date.now() + 5_000
    await fill(db, due, dueAt)
    const told = () => count(db, `select count(*) from notifications where type = 'reminder'`)
    let toldAt = 0
    let mailedAt = 0
    let killed = 0
    for (const end = Date.now() + patienceMs; Date.now() < end && mailedAt === 0; await wait(200)) {
      if (Date.now() < dueAt) continue
      const soFar = await told()
      if (toldAt === 0 && soFar >= due) toldAt = Date.now()
      if (mails.messages.size >= due) mailedAt = Date.now()
      // while the mails leave
      if (killed < kills && soFar > 0 && mails.messages.size > (due * killed) / (kills + 1)) {
        const n = killed++ % instances
        process.kill(servers[n]!.pid, 'SIGKILL')
        servers[n] = await start(n)
      }
    }
    // what would come twice comes soon after
    await wait(3_000)
    const each = await db.query<{ n: number }>(
      `select (select count(*)::int from notifications n where n.account_id = e.account_id and n.type = 'reminder') as n
       from schedule_entries e`,
    )
    const ns = each.rows.map(({ n }) => n)
    const copies = [...mails.messages.values()]
    return {
      due,
      instances,
      kills: killed,
      toldOnce: ns.filter((n) => n === 1).length,
      lost: ns.filter((n) => n === 0).length,
      doubled: ns.filter((n) => n > 1).length + (await count(db, `select count(*) from notifications where count > 1`)),
      mailsLost: due - copies.length,
      mailsDoubled: copies.filter((arrivals) => arrivals.length > 1).length,
      otherMessageIds: copies.filter((arrivals) => new Set(arrivals.map(({ messageId }) => messageId)).size > 1).length,
      toldS: (toldAt - dueAt) / 1000,
      mailedS: (mailedAt - dueAt) / 1000,
    }
  } finally {
    await db.end()
    for (const server of servers) await server.stop()
    await mails.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function count(db: pg.Client, sql: string): Promise<number> {
  return Number((await db.query<{ count: string }>(sql)).rows[0]!.count)
}

/** Their reminders are planned by the triggers, as everybody's are. */
async function fill(db: pg.Client, due: number, dueAt: number) {
  const event = newId()
  const starts = new Date(dueAt + 10 * 60_000)
  const over = new Date(dueAt + 70 * 60_000)
  const ids = Array.from({ length: due }, newId)
  const entries = Array.from({ length: due }, newId)
  await db.query(
    `insert into events (event_id, title, starts_at, over_at, festival_day, created_at, updated_at)
     values ($1, 'Glasshouse', $2, $3, $2::timestamptz::date, now(), now())`,
    [event, starts, over],
  )
  await db.query(
    `insert into accounts (account_id, kind, role, email, email_folded, display_name, language, verified_at, created_at)
     select id, 'user', 'user', 'r' || n || '@example.org', 'r' || n || '@example.org', 'Bench', 'en', now(), now()
     from unnest($1::uuid[]) with ordinality as a (id, n)`,
    [ids],
  )
  await db.query(
    `insert into notification_choices (account_id, type, channels)
     select id, 'reminder', array['in_app', 'email'] from unnest($1::uuid[]) as a (id)`,
    [ids],
  )
  await db.query(
    `insert into schedule_entries (entry_id, account_id, event_id, reminders, created_at, updated_at)
     select entry, account, $3, '{10}', now(), now() from unnest($1::uuid[], $2::uuid[]) as e (entry, account)`,
    [entries, ids, event],
  )
}
