import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { fillScaledForum } from '../src/forum/server/store/scaled.ts'
import { openDatabase } from '../src/kit/server/database.ts'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { startJobs } from '../src/kit/server/jobs.ts'
import { migrate } from '../src/kit/server/migrate.ts'
import { postsBetween } from '../src/forum/server/store/posts.ts'
import { findTopic, listTopics } from '../src/forum/server/store/topics.ts'
import { byTurns, cpuRatio } from './beside.ts'
import { load, type Figure } from './load.ts'
import { recordSql } from './recorded-sql.ts'
import { startServer } from './servers.ts'
import { socketUrl } from './town.ts'

/** CPU of NodeBB and its database for one request, ms, with 1,231 topics and 12,211 posts (docs/performance.md). */
export const nodeBbMs = { listJson: 10.96, topicJson: 11.58, listPage: 12.96, topicPage: 13.56 }
/** The same as a multiple of a bare server's CPU (node:http and `pg`, a list of 20 and one item), measured beside it: this
 * holds on any machine. */
export const nodeBbTimesBare = { listJson: 69, topicJson: 123 }

export interface ForumFigures {
  listJson: Figure
  topicJson: Figure
  listPage: Figure
  topicPage: Figure
  /** A bare server's list of 20 topics, and one topic, of the same database. */
  bare: { listJson: Figure; topicJson: Figure }
  /** A bare server that does the same work (P3, P4). */
  beside: Record<'topic' | 'listPage' | 'topicPage', [Figure, Figure]>
  /** Median of the first and the last page of a topic of 10,000 posts as JSON, ms, asked in turns. */
  longMs: { first: number; last: number }
  /** 95th percentile of a search, ms: rare words, common words, and both, by turns. */
  searchP95Ms: number
}

/** A forum of its own, asked for pages that nobody asked for within the last second. */
export async function measureForum(
  script: string,
  size: { topics: number; posts: number; longTopic: number },
  seconds: number,
): Promise<ForumFigures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-bench-forum-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  const url = socketUrl(postgres)
  const { db } = openDatabase({ connectionString: url }, { patient: true })
  await migrate(db)
  await (await startJobs(db, () => ({}), { zone: 'Europe/Zurich', log: () => {} })).stop()
  const longTopic = await fillScaledForum(db, size)
  await db.destroy()
  const ids = await sample(url, longTopic)
  const server = await startServer(
    script,
    { DATABASE_URL: url, DATA_DIR: dataDir, DEMO_DATA: 'off' },
    { probe: '/readyz' },
  )
  try {
    const pids = [server.pid, postgres.pid!]
    const offsets = Array.from({ length: 900 }, (_, offset) => offset)
    const of = (paths: string[]) => load(server.base, paths, { seconds, pids })
    const bare = async (statement: string, parameters: unknown[][]) => {
      const work = join(dataDir, 'bare.json')
      writeFileSync(work, JSON.stringify({ kind: 'pg', sql: statement, parameters }))
      const env = { DATABASE_URL: url, WORK: work, NODE_ENV: 'production' }
      const ceiling = await startServer('bench/ceiling-server.ts', env, { probe: '/' })
      try {
        const asked = () => load(ceiling.base, ['/'], { seconds, pids: [ceiling.pid, postgres.pid!] })
        await asked()
        return await asked()
      } finally {
        await ceiling.stop()
      }
    }
    // a process that has just started compiles what it runs first: each kind is asked once before it counts
    for (const paths of [
      offsets.map((offset) => `/api/forum/topics?offset=${offset}`),
      ids.map((id) => `/api/forum/topics/${id}/posts`),
      offsets.map((offset) => `/forum?offset=${offset}`),
      ids.map((id) => `/topic/${id}`),
    ])
      await of(paths)
    return {
      listJson: await of(offsets.map((offset) => `/api/forum/topics?offset=${offset}`)),
      topicJson: await of(ids.map((id) => `/api/forum/topics/${id}/posts`)),
      listPage: await of(offsets.map((offset) => `/forum?offset=${offset}`)),
      topicPage: await of(ids.map((id) => `/topic/${id}`)),
      bare: {
        listJson: await bare(
          // the order of the index, which the same list anywhere would have
          `${bareTopics} order by is_pinned desc, last_post_at desc, topic_id desc limit 20 offset $1`,
          offsets.map((offset) => [offset]),
        ),
        topicJson: await bare(
          `${bareTopics} and topic_id = $1`,
          ids.map((id) => [id]),
        ),
      },
      beside: await besideBare(server, url, ids, postgres.pid!, seconds),
      longMs: await longPages(server.base, longTopic, Math.ceil(size.longTopic / 20)),
      searchP95Ms: await searches(server.base),
    }
  } finally {
    await server.stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function besideBare(
  server: { base: string; pid: number },
  databaseUrl: string,
  ids: string[],
  postmaster: number,
  seconds: number,
): Promise<ForumFigures['beside']> {
  const on = { databaseUrl, postmaster, seconds }
  const ours = (paths: string[]) => () => load(server.base, paths, { seconds, pids: [server.pid, postmaster] })
  const text = async (path: string) => (await fetch(server.base + path)).text()
  const offsets = Array.from({ length: 900 }, (_, offset) => offset)
  const none = { category: null, tag: null, lang: null, solved: null, linked: null }
  const topicSql = await recordSql(databaseUrl, async (db) => {
    for (const id of ids.slice(0, 1000)) await findTopic(db, id)
  })
  const listSql = await recordSql(databaseUrl, async (db) => {
    for (const offset of offsets) await listTopics(db, none, { sort: 'latest', after: null, limit: 20, offset })
  })
  const postsSql = await recordSql(databaseUrl, async (db) => {
    for (const id of ids.slice(0, 1000)) await postsBetween(db, id, 1, 20)
  })
  const topicPaths = ids.map((id) => `/topic/${id}`)
  return {
    topic: await byTurns(on, { kind: 'pg', recorded: topicSql }, ours(ids.map((id) => `/api/forum/topics/${id}`))),
    listPage: await byTurns(
      on,
      { kind: 'react', recorded: listSql, body: await text('/forum') },
      ours(offsets.map((offset) => `/forum?offset=${offset}`)),
      cpuRatio,
    ),
    topicPage: await byTurns(
      on,
      { kind: 'react', recorded: postsSql, body: await text(topicPaths[0]!) },
      ours(topicPaths),
      cpuRatio,
    ),
  }
}

const bareTopics = `select topic_id, category, title, tags, lang, author_id, created_at, updated_at, post_count, last_post_at,
  last_author_id from forum_topics where state = 'visible'`

async function sample(url: string, longTopic: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ topic_id: string }>(
    'select topic_id from forum_topics where topic_id <> $1 order by md5(topic_id::text) limit 5000',
    [longTopic],
  )
  await client.end()
  return rows.map((row) => row.topic_id)
}

async function timed(url: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return performance.now() - began
}

const sorted = (times: number[]) => times.toSorted((a, b) => a - b)

async function longPages(base: string, topicId: string, pages: number) {
  const first: number[] = []
  const last: number[] = []
  const at = (page: number) => timed(`${base}/api/forum/topics/${topicId}/posts?page=${page}`)
  for (let turn = 0; turn < 101; turn++) {
    first.push(await at(1))
    last.push(await at(pages))
  }
  return { first: sorted(first)[50]!, last: sorted(last)[50]! }
}

async function searches(base: string): Promise<number> {
  const times: number[] = []
  const words = [
    'queue',
    'laternen rhein',
    'concert',
    'queue 37',
    'écharpe rouge',
    'river',
    '4242',
    'blanket cold',
    'nothing such',
  ]
  for (let turn = 0; turn < 90; turn++)
    times.push(
      await timed(`${base}/api/forum/search?q=${encodeURIComponent(words[turn % words.length]!)}&offset=${turn % 7}`),
    )
  return sorted(times)[Math.floor(times.length * 0.95)]!
}
