import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { aVisitor, get, logIn, post, type Person } from '../../../test/people.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
let lena: Person
let mia: Person
beforeAll(async () => {
  app = await startTestApp()
  lena = await aVisitor(app)
  mia = await aVisitor(app, 'mia@example.org')
  for (const person of [lena, mia]) await establish(person)
})
/** Somebody whom the forum knows: a confirmed address, and 30 posts read. */
async function establish(person: Person) {
  expect((await get(app, '/api/forum/mine', person.authToken)).status).toBe(200)
  await app.db.updateTable('accounts').set({ verified_at: new Date() }).where('email', '=', person.email).execute()
  const topic = await seed(person)
  await app.db
    .updateTable('forum_members')
    .set({ posts_read: 30 })
    .where('account_id', '=', (eb) =>
      eb.selectFrom('accounts').select('account_id').where('email', '=', person.email).where('kind', '=', 'user'),
    )
    .execute()
  return topic
}
async function seed(person: Person) {
  later(1)
  return newTopic(person, {
    title: 'Hello everybody',
    body: `Good evening from ${person.email.split('@')[0]}.`,
    category: 'meet-ups',
  })
}
afterAll(() => app.close())

let minutes = 0
/** Later, so that the pace of one person does not meet the next story. */
const later = (by = 60) =>
  app.setNow(
    Temporal.Instant.from('2026-06-20T17:30:00Z')
      .add({ minutes: (minutes += by) })
      .toString(),
  )
/** Access tokens live for 15 minutes. */
async function again(person: Person): Promise<Person> {
  return logIn(app, '/api/auth/login', person.email)
}
const send = (method: string, path: string, person: Person | null, body?: unknown) =>
  api(app, path, {
    method,
    headers: {
      ...(person ? { authorization: `Bearer ${person.authToken}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const aTopic = (more: Record<string, unknown> = {}) => ({
  category: 'help',
  title: 'Where is the queue shortest?',
  body: `At the Mittlere Brücke I waited for half an hour. ${minutes}`,
  ...more,
})
async function newTopic(person: Person, more: Record<string, unknown> = {}) {
  const answer = await post(app, '/api/forum/topics', aTopic(more), { token: person.authToken })
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { topic: { topic_id: string }; post: { post_id: string; post_number: number } }
}
async function newReply(person: Person, topicId: string, body: string, more: Record<string, unknown> = {}) {
  const answer = await send('POST', `/api/forum/topics/${topicId}/posts`, person, { body, ...more })
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { post_id: string; post_number: number; state: string; author: { handle: string } }
}
async function fresh() {
  later()
  lena = await again(lena)
  mia = await again(mia)
}

describe('a conversation', () => {
  it('begins with a topic, goes on with replies and is read by everybody', async () => {
    await fresh()
    const { topic } = await newTopic(lena, {
      tags: ['Queue', '#bridge'],
      body: 'Where is the **shortest** queue tonight?',
    })
    await newReply(mia, topic.topic_id, 'At the ferry, as always. @lena', { reply_to: 1 })
    const list = await get(app, '/api/forum/topics?category=help')
    expect(list.body[0]).toMatchObject({
      topic_id: topic.topic_id,
      title: 'Where is the queue shortest?',
      tags: ['queue', 'bridge'],
      lang: 'en',
      post_count: 2,
      last_number: 2,
      author: { name: 'Lena', handle: 'lena', role: 'user' },
      last_author: { handle: expect.stringMatching(/^lena-\d+$/) },
    })
    const posts = await get(app, `/api/forum/topics/${topic.topic_id}/posts`)
    expect(posts.headers.get('x-total-count')).toBe('2')
    expect(posts.body).toMatchObject([
      {
        post_number: 1,
        content: [{ e: 'p', c: ['Where is the ', { e: 'strong', c: ['shortest'] }, ' queue tonight?'] }],
      },
      { post_number: 2, reply_to: 1, state: 'visible' },
    ])
    const categories = await get(app, '/api/forum/categories')
    expect(categories.body.find((one: { category: string }) => one.category === 'help')).toMatchObject({
      topic_count: 1,
      last_topic: { topic_id: topic.topic_id },
    })
  })

  it('keeps the pages and numbers of posts while others write and delete', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const replies = []
    for (let number = 2; number <= 23; number++) {
      later(1)
      if (number % 10 === 0) await fresh()
      replies.push(await newReply(number % 2 ? lena : mia, topic.topic_id, `Reply number ${number}`))
    }
    const second = `/api/forum/topics/${topic.topic_id}/posts?page=2`
    const before = await get(app, second)
    expect(before.body.map((one: { post_number: number }) => one.post_number)).toEqual([21, 22, 23])
    expect((await send('DELETE', `/api/forum/posts/${replies[3]!.post_id}`, lena)).status).toBe(204)
    const after = await get(app, second)
    expect(after.body).toEqual(before.body)
    const first = await get(app, `/api/forum/topics/${topic.topic_id}/posts`)
    expect(first.body).toHaveLength(20)
    expect(first.body[4]).toMatchObject({ post_number: 5, state: 'deleted', body: '', content: [] })
    expect(first.headers.get('link')).toMatch(/after=.+rel="next"/)
  })
})
