import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { startSession } from '../src/accounts/server/sessions.ts'
import { fillScaledForum } from '../src/forum/server/store/scaled.ts'
import { systemClock } from '../src/kit/server/clock.ts'
import { openDatabase } from '../src/kit/server/database.ts'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { openKeyring } from '../src/kit/server/keyring.ts'
import { startServer, type RunningServer } from './servers.ts'
import { tellAll, type Streaming } from './streams.ts'
import { socketUrl } from './town.ts'

export interface Posting {
  accounts: number
  perSecond: number
  sent: number
  /** Answered with 201. */
  taken: number
  /** Other answers, by status; 0: none at all. */
  others: Record<number, number>
  p50Ms: number
  p99Ms: number
  /** Of the posts taken, those that are not in the database. */
  missing: number
}

/** Replies of established people, each within their pace, sent evenly whether or not those before were answered. */
export async function measurePosts(accounts: number, perSecond: number, seconds: number): Promise<Posting> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-bench-posts-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'database') })
  const url = socketUrl(postgres)
  const server = await startServer(
    'build/app/main.mjs',
    { DATABASE_URL: url, DATA_DIR: dataDir, DEMO_DATA: 'off', TRUST_PROXY: 'on' },
    { probe: '/readyz' },
  )
  const { db, pool } = openDatabase({ connectionString: url }, { patient: true })
  try {
    await fillScaledForum(db, { topics: 200, posts: 2000, longTopic: 10 })
    const tokens = await established(db, dataDir, accounts)
    const { rows } = await sql<{ topic_id: string }>`select topic_id from forum_topics limit 200`.execute(db)
    const times: number[] = []
    const answers: number[] = []
    const ids: string[] = []
    const send = async (n: number) => {
      const began = performance.now()
      const answer = await fetch(`${server.base}/api/forum/topics/${rows[n % rows.length]!.topic_id}/posts`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${tokens[n % tokens.length]!}`,
          'x-forwarded-for': `10.1.${(n % tokens.length) >> 8}.${(n % tokens.length) & 255}`,
        },
        body: JSON.stringify({ body: `The ferry leaves in ${n} minutes, and the queue is short tonight.` }),
        signal: AbortSignal.timeout(15_000),
      }).catch(() => null)
      answers.push(answer?.status ?? 0)
      times.push(performance.now() - began)
      const body = (await answer?.json().catch(() => null)) as { post_id?: string } | null
      if (answer?.status === 201 && body?.post_id) ids.push(body.post_id)
    }
    const under: Promise<void>[] = []
    const began = performance.now()
    const count = perSecond * seconds
    for (let n = 0; n < count; n++) {
      const due = began + (n * 1000) / perSecond
      if (due > performance.now()) await wait(due - performance.now())
      under.push(send(n))
    }
    await Promise.all(under)
    const found = await sql<{ count: number }>`
      select count(*)::int as count from forum_posts where post_id = any(${ids}::uuid[])`.execute(db)
    const sorted = times.toSorted((a, b) => a - b)
    const others: Record<number, number> = {}
    for (const status of answers) if (status !== 201) others[status] = (others[status] ?? 0) + 1
    return {
      accounts,
      perSecond,
      sent: count,
      taken: answers.filter((status) => status === 201).length,
      others,
      p50Ms: sorted[Math.floor(sorted.length / 2)]!,
      p99Ms: sorted[Math.floor(sorted.length * 0.99)]!,
      missing: ids.length - found.rows[0]!.count,
    }
  } finally {
    await pool.end()
    await server.stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Times are from the moment a post is sent to its news at a stream. */
export interface LivePosts extends Omit<Streaming, 'instances' | 'told' | 'idle' | 'idleKbEach'> {
  posts: number
}

/** Replies to one topic, sent to either of two instances, and the open pages of that topic at both. */
export async function measureLivePosts(streams: number, posts: number): Promise<LivePosts> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-bench-live-posts-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'database') })
  const url = socketUrl(postgres)
  const servers: RunningServer[] = []
  const { db, pool } = openDatabase({ connectionString: url }, { patient: true })
  try {
    for (let n = 0; n < 2; n++) {
      const env = { DATABASE_URL: url, DATA_DIR: dataDir, DEMO_DATA: 'off', STREAMS_PER_ADDRESS: String(streams) }
      servers.push(await startServer('build/app/main.mjs', env, { probe: '/readyz' }))
    }
    const bases = servers.map(({ base }) => base)
    await fillScaledForum(db, { topics: 200, posts: 2000, longTopic: 10 })
    const tokens = await established(db, dataDir, posts)
    const { rows } = await sql<{ topic_id: string; last: number }>`
      select topic_id, max(post_number) as last from forum_posts group by topic_id limit 1`.execute(db)
    const { topic_id, last } = rows[0]!
    const say = async (n: number) => {
      const answer = await fetch(`${bases[n % bases.length]!}/api/forum/topics/${topic_id}/posts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[n]!}` },
        body: JSON.stringify({ body: `The ferry leaves in ${n} minutes, and the queue is short tonight.` }),
      })
      if (answer.status !== 201) throw new Error(`A post is answered with ${answer.status}: ${await answer.text()}`)
    }
    const numberOf = ({ post_number }: { post_number: number }) => post_number - last - 1
    const heard = await tellAll(bases, streams, posts, { channel: `topic:${topic_id}`, say, numberOf })
    return { streams, posts, ...heard }
  } finally {
    await pool.end()
    for (const server of servers) await server.stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Tokens of people whom the forum knows for a month. */
export async function established(db: ReturnType<typeof openDatabase>['db'], dataDir: string, accounts: number) {
  await sql`
    insert into accounts (account_id, kind, role, email, email_folded, display_name, language, verified_at, created_at,
      accepted_terms_at)
    select gen_random_uuid(), 'user', 'user', 'person-' || n || '@example.org', 'person-' || n || '@example.org',
      'Person ' || n, 'en', now() - interval '30 days', now() - interval '30 days', now() - interval '30 days'
    from generate_series(1, ${accounts}::int) n`.execute(db)
  await sql`
    insert into forum_members (member_id, account_id, handle, display_name, joined_at, is_verified, posts_read,
      replies_written, topics_written)
    select gen_random_uuid(), account_id, replace(display_name, 'Person ', 'person-'), display_name, created_at, true, 200,
      10, 2
    from accounts where email like 'person-%'`.execute(db)
  const { rows } = await sql<{ account_id: string }>`
    select account_id from accounts where email like 'person-%'`.execute(db)
  const where = { secretKey: null, oldSecretKey: null, dataDir, embedded: false }
  const room = { clock: systemClock, keyring: await openKeyring(db, where, async () => {}) }
  const tokens: string[] = []
  for (const { account_id } of rows) {
    const owner = { account_id, role: 'user', business_id: null, password_hash: null } as const
    const session = await startSession(room, db, owner, 'bench')
    if (session) tokens.push(session.authToken)
  }
  return tokens
}
