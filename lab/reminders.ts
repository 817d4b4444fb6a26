import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../src/kit/server/ids.ts'
import { builtServer, startServer, type RunningServer } from '../test/built-server.ts'
import { startDatabase, temporaryFolder } from './folder.ts'
import { mailSink } from './mail-sink.ts'
import { plain, seconds, type Row } from './report.ts'

const patienceMs = 5 * 60_000

/** R11 and R12: `due` reminders at the same moment, in the app and by mail, while instances are killed `kills` times. */
export async function reminderRows(due: number, instances: number, kills: number): Promise<Row[]> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await startDatabase())
  const folder = stack.use(temporaryFolder())
  const mails = await mailSink()
  stack.defer(() => mails.close())
  const start = (n: number) => {
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: join(folder.path, `instance${n}`),
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      MAIL_FROM: 'Rheinklang <lab@example.org>',
      DEMO_DATA: 'off',
    }
    return startServer(builtServer, env, { probe: '/readyz' })
  }
  const servers: RunningServer[] = []
  stack.defer(async () => {
    for (const server of servers) await server.stop()
  })
  for (let n = 0; n < instances; n++) servers.push(await start(n))
  const db = new pg.Client({ connectionString: database.url })
  await db.connect()
  stack.defer(() => db.end())

  const dueAt = Date.now() + 5_000
  await fill(db, due, dueAt)
  let notifiedAt = 0
  let mailedAt = 0
  let killed = 0
  for (const end = Date.now() + patienceMs; Date.now() < end && mailedAt === 0; await sleep(200)) {
    if (Date.now() < dueAt) continue
    const soFar = await count(db, `select count(*) from notifications where type = 'reminder'`)
    if (notifiedAt === 0 && soFar >= due) notifiedAt = Date.now()
    if (mails.messages.size >= due) mailedAt = Date.now()
    // kill while mails are being sent
    if (killed < kills && soFar > 0 && mails.messages.size > (due * killed) / (kills + 1)) {
      const n = killed++ % instances
      process.kill(servers[n]!.pid, 'SIGKILL')
      servers[n] = await start(n)
    }
  }
  // a second copy would come soon
  await sleep(3_000)
  const each = await db.query<{ n: number }>(
    `select (select count(*)::int from notifications n where n.account_id = e.account_id and n.type = 'reminder') as n
     from schedule_entries e`,
  )
  const lost = each.rows.filter(({ n }) => n === 0).length
  const merged = await count(db, `select count(*) from notifications where count > 1`)
  const doubled = each.rows.filter(({ n }) => n > 1).length + merged
  const copies = [...mails.messages.values()]
  const repeated = copies.filter((arrivals) => arrivals.length > 1)
  const otherId = repeated.filter((arrivals) => new Set(arrivals.map(({ messageId }) => messageId)).size > 1).length
  const bar = kills > 0 ? 'R12' : 'R11'
  const what = `${bar} ${due} reminders due at once, ${instances} instances, ${killed} of them killed`
  return [
    plain(`${what}: in the app lost, doubled`, `${lost}, ${doubled}`, '0, 0', lost + doubled === 0),
    plain(
      `${what}: mails lost, doubled, with another Message-ID`,
      `${due - copies.length}, ${repeated.length}, ${otherId}`,
      `0, ≤ ${kills}, 0`,
      copies.length === due && repeated.length <= kills && otherId === 0,
    ),
    plain(
      `${what}: all in the app, all mailed after`,
      `${seconds(notifiedAt - dueAt)}, ${seconds(mailedAt - dueAt)}`,
      '',
      null,
    ),
  ]
}

async function count(db: pg.Client, sql: string): Promise<number> {
  return Number((await db.query<{ count: string }>(sql)).rows[0]!.count)
}

/** Creates people with schedule entries; the database's triggers plan their reminders, as for everybody. */
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
     select id, 'user', 'user', 'r' || n || '@example.org', 'r' || n || '@example.org', 'Lena', 'en', now(), now()
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
