import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { fillScaledForum } from '../../src/forum/server/store/scaled.ts'
import { openDatabase } from '../../src/kit/server/database.ts'
import { startEmbeddedPostgres } from '../../src/kit/server/embedded-postgres.ts'
import { startServer } from '../servers.ts'
import { socketUrl } from '../town.ts'
import { plain, type Row } from './row.ts'

const posts = 42
/** Somebody flags 30 posts an hour at most, so three and three share the work. */
const attackers = 6

/** New accounts, confirmed and with 30 posts read, flag each of 42 replies and the topic three times. */
export async function flagRow(): Promise<Row> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-bench-flags-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'database') })
  const url = socketUrl(postgres)
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, DEMO_DATA: 'off' }
  const server = await startServer('build/app/main.mjs', env, { probe: '/readyz' })
  const { db, pool } = openDatabase({ connectionString: url }, { patient: true })
  try {
    const topicId = await fillScaledForum(db, { topics: 1, posts: 1, longTopic: posts + 1 })
    const tokens: string[] = []
    for (let n = 0; n < attackers; n++) tokens.push(await newAccount(server.base, n))
    await sql`update accounts set verified_at = now()`.execute(db)
    const { rows } = await sql<{ post_id: string }>`
      select post_id from forum_posts where topic_id = ${topicId} order by post_number`.execute(db)
    // their first act makes them members of the forum
    for (const token of tokens)
      await send(server.base, 'PUT', `/api/forum/topics/${topicId}/watch`, { mode: 'normal' }, token)
    await sql`update forum_members set posts_read = 30 where account_id is not null`.execute(db)
    const began = performance.now()
    for (const [n, { post_id }] of rows.entries())
      for (const token of tokens.slice((n % 2) * 3, (n % 2) * 3 + 3))
        await send(server.base, 'POST', `/api/forum/posts/${post_id}/flag`, { kind: 'spam' }, token)
    const seconds = (performance.now() - began) / 1000
    const found = await sql<{ hidden: number; queued: number; topics: number }>`
      select count(*) filter (where p.post_number > 1 and p.state <> 'visible')::int as hidden,
        count(*) filter (where p.open_flags = 3)::int as queued,
        count(*) filter (where p.post_number = 1 and t.state <> 'visible')::int as topics
      from forum_posts p join forum_topics t using (topic_id) where topic_id = ${topicId}`.execute(db)
    const { hidden, queued, topics } = found.rows[0]!
    return plain(
      `Forum: ${attackers} accounts of the same minute flag ${posts} replies and their topic, each three times, in ${seconds.toFixed(0)} s: hidden`,
      `${hidden} of ${posts}, ${topics} topics; ${queued} in the moderators’ queue`,
      `0, 0; ${posts + 1}`,
      hidden === 0 && topics === 0 && queued === posts + 1,
    )
  } finally {
    await pool.end()
    await server.stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function newAccount(base: string, n: number): Promise<string> {
  const login = { email: `attacker-${n}@example.org`, password: 'four words of a bench' }
  const signup = { display_name: `Attacker ${n}`, accepts_terms: true, ...login }
  await send(base, 'POST', '/api/auth/signup', signup)
  const answer = await send(base, 'POST', '/api/auth/login', login)
  return ((await answer.json()) as { authToken: string }).authToken
}

async function send(base: string, method: string, path: string, body: object, token?: string): Promise<Response> {
  const answer = await fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path} is answered with ${answer.status}: ${await answer.text()}`)
  return answer
}
