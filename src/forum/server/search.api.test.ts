import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { openDatabase } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { fillScaledForum } from '../../../test/scaled-forum.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const { db } = openDatabase({ connectionString: app.databaseUrl }, { patient: true })
  const longTopic = await fillScaledForum(db, { topics: 300, posts: 600, longTopic: 100 })
  // more posts than the search scans first (`newest` in store/search.ts), all newer than the others
  await sql`
    insert into forum_posts
    select (jsonb_populate_record(p, jsonb_build_object('post_id', gen_random_uuid(), 'post_number', 100 + n,
      'created_at', now() + n * interval '1 millisecond'))).*
    from forum_posts p, generate_series(1, 20200) n where topic_id = ${longTopic} and post_number = 100`.execute(db)
  await sql`analyze forum_posts`.execute(db)
  await db.destroy()
})
afterAll(() => app.close())

interface Found {
  post_id: string
  title: string
  created_at: string
  category: string
}

const search = async (query: string) => {
  const { status, text, headers, body } = await api(app, `/api/forum/search?${query}`)
  expect(status, text).toBe(200)
  return { headers, body: body as Found[], next: /\?([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] }
}

describe('a search of a large forum', () => {
  it('pages through common words, newest first and each post once, and says that there are more than it counted', async () => {
    let asked = 'q=no&limit=50'
    const seen: { post_id: string; created_at: string }[] = []
    for (let page = 0; page < 3; page++) {
      const { body, headers, next } = await search(asked)
      expect(body).toHaveLength(50)
      expect([headers.get('x-total-count'), headers.get('x-total-capped')]).toEqual(['1000', 'true'])
      seen.push(...body)
      asked = next!
    }
    expect(new Set(seen.map(({ post_id }) => post_id)).size).toBe(150)
    const times = seen.map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('finds posts older than those that it scans first, also in a category', async () => {
    const { body, headers } = await search('q=topic+number+250')
    expect(body.map(({ title }) => title)).toEqual(['Topic number 250 about the river'])
    expect([headers.get('x-total-count'), headers.get('x-total-capped')]).toEqual(['1', null])
    const { category } = body[0]!
    expect((await search(`q=topic+number+250&category=${category}`)).body).toHaveLength(1)
    const other = category === 'help' ? 'meet-ups' : 'help'
    expect((await search(`q=topic+number+250&category=${other}`)).body).toEqual([])
  })

  it('says how many there are also on a page after the last', async () => {
    const { body, headers } = await search('q=topic+number+250&offset=500')
    expect([body, headers.get('x-total-count')]).toEqual([[], '1'])
  })

  it('counts no posts of a topic that staff hid, also with a made-up cursor', async () => {
    const cursor = Buffer.from(JSON.stringify(['2999-01-01T00:00:00.000Z', newId()])).toString('base64url')
    const count = async () => (await search(`q=topic+number+251&after=${cursor}`)).headers.get('x-total-count')
    expect(await count()).toBe('1')
    await sql`update forum_topics set state = 'hidden' where title like 'Topic number 251 %'`.execute(app.db)
    expect(await count()).toBe('0')
  })
})
