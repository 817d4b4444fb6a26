import { fillScaledForum } from '../test/scaled-forum.ts'
import { builtServer, startServer } from '../test/built-server.ts'
import { besideBare, pidsOf } from './bare.ts'
import { startDatabase, temporaryFolder } from './folder.ts'
import { load, type Figure } from './load.ts'
import { count, cpuRow, median, plain, rateRow, type Row } from './report.ts'
import { listsOfTopics, postsOf, topics } from './statements.ts'
import { prepare, query } from './town.ts'

const postsOfLongTopic = 10_000
/** CPU per request of NodeBB with 1,231 topics, as a multiple of a bare server (node:http and `pg`). */
const nodeBbTimesBare = { list: 69, topic: 123 }

/** P3, P4 and P13 of the forum, with ten posts per topic. */
export async function forumRows(posts: number, seconds: number): Promise<Row[]> {
  await using database = await startDatabase()
  using folder = temporaryFolder()
  const db = await prepare(database.url)
  const size = { topics: Math.round(posts / 10), posts, longTopic: postsOfLongTopic }
  const longTopic = await fillScaledForum(db, size)
  await db.destroy()
  await query(database.url, 'vacuum analyze')
  const found = await query<{ topic_id: string }>(
    database.url,
    'select topic_id from forum_topics where topic_id <> $1 order by md5(topic_id::text) limit 5000',
    [longTopic],
  )
  const ids = found.map(({ topic_id }) => topic_id)
  const offsets = Array.from({ length: 900 }, (_, offset) => offset)
  const env = { DATABASE_URL: database.url, DATA_DIR: folder.path, DEMO_DATA: 'off' }
  await using server = await startServer(builtServer, env, { probe: '/readyz' })
  const on = { url: database.url, postmaster: database.postmaster, seconds }
  const ask = (paths: string[]) => () => load(server.base, paths, { seconds, pids: pidsOf(server, database) })
  const asks: Record<'listJson' | 'topicJson' | 'listPage' | 'topicPage', () => Promise<Figure>> = {
    listJson: ask(offsets.map((offset) => `/api/forum/topics?offset=${offset}`)),
    topicJson: ask(ids.map((id) => `/api/forum/topics/${id}`)),
    listPage: ask(offsets.map((offset) => `/forum?offset=${offset}`)),
    topicPage: ask(ids.map((id) => `/topic/${id}`)),
  }
  // warms up code and query plans
  for (const each of Object.values(asks)) await each()
  const lists = await listsOfTopics(database.url, offsets)
  const ofTopic = await topics(database.url, ids.slice(0, 1000))
  const ofPosts = await postsOf(database.url, ids.slice(0, 1000))
  const textOf = async (path: string) => (await fetch(server.base + path)).text()
  const listPage = { kind: 'react', statements: lists, body: await textOf('/forum') } as const
  const topicPage = { kind: 'react', statements: ofPosts, body: await textOf(`/topic/${ids[0]}`) } as const
  const bare = (statements: typeof lists) => ({ kind: 'pg', statements }) as const
  const { first, last } = await longPages(server.base, longTopic)
  return [
    cpuRow(
      `topic list, JSON (NodeBB ${nodeBbTimesBare.list} ×)`,
      ...(await besideBare(on, bare(lists), asks.listJson, 'cpuMs')),
      nodeBbTimesBare.list / 15,
    ),
    cpuRow(
      `topic, JSON (NodeBB ${nodeBbTimesBare.topic} ×)`,
      ...(await besideBare(on, bare(ofTopic), asks.topicJson, 'cpuMs')),
      nodeBbTimesBare.topic / 15,
    ),
    rateRow('P3 one topic, JSON', ...(await besideBare(on, bare(ofTopic), asks.topicJson)), 0.55),
    cpuRow('P4 topic list, page', ...(await besideBare(on, listPage, asks.listPage, 'cpuMs')), 3.5),
    cpuRow('P4 topic, page', ...(await besideBare(on, topicPage, asks.topicPage, 'cpuMs')), 3.5),
    plain(
      `P13 first and last page of a topic of ${count(postsOfLongTopic)} posts`,
      `${first.toFixed(1)} and ${last.toFixed(1)} ms`,
      'last ≤ 1.2 × first',
      last <= 1.2 * first,
    ),
  ]
}

/** Medians of the first and the last page, asked in turn, ms. */
async function longPages(base: string, topicId: string) {
  const times = { first: [] as number[], last: [] as number[] }
  for (let turn = 0; turn < 101; turn++)
    for (const [which, page] of [
      ['first', 1],
      ['last', postsOfLongTopic / 20],
    ] as const) {
      const began = performance.now()
      const answer = await fetch(`${base}/api/forum/topics/${topicId}/posts?page=${page}`)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`Page ${page} answered ${answer.status}.`)
      times[which].push(performance.now() - began)
    }
  return { first: median(times.first), last: median(times.last) }
}
