import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkEveryField, twoPictures } from '../../../test/every-field.ts'
import { aVisitor, get, post, type Person } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { postFields } from '../post.ts'
import { topicFields } from '../topic.ts'

let app: TestApp
let lena: Person
beforeAll(async () => {
  app = await startTestApp()
  lena = await aVisitor(app)
})
afterAll(() => app.close())

async function send(path: string, method: 'POST' | 'PATCH', body: object) {
  const answer = await post(app, path, body, { method, token: lena.authToken })
  expect(answer.status, answer.text).toBe(method === 'POST' ? 201 : 200)
  return answer.body
}
const edit = (path: string, values: object) => send(path, 'PATCH', values)
const read = async (path: string) => (await get(app, path)).body
const pathOf = (topic: { topic_id: string }) => `/api/forum/topics/${topic.topic_id}`

it('a topic loses no field that can be sent: made, changed, left alone, emptied', async () => {
  const create = async (values: object) => {
    const { topic } = await send('/api/forum/topics', 'POST', { ...values, body: 'Who comes along?' })
    await send(`${pathOf(topic)}/posts`, 'POST', { body: 'I do, with two friends.' })
    return pathOf(topic)
  }
  await checkEveryField(
    topicFields,
    {
      category: ['meet-ups', 'help'],
      title: ['Meet at the fountain', 'Meet at the bridge'],
      tags: [['basel', 'friday'], ['saturday']],
      lang: ['en', 'de'],
      solved_number: [1, 2],
    },
    { create, change: edit, read },
    {
      needed: ['category', 'title', 'lang'],
      onlyAtFirst: ['category'],
      onlyLater: ['solved_number'],
      emptiedBy: { tags: [] },
    },
  )
})

it('the event or deal of a topic is sent, changed and taken away as one', async () => {
  const linked = { kind: 'deal', id: '01900000-0000-7000-8000-000000000001' }
  const first = { category: 'help', title: 'Is it vegan?', body: 'Who has tried it?' }
  const { topic } = await send('/api/forum/topics', 'POST', { ...first, linked })
  expect(await read(pathOf(topic))).toMatchObject({ linked_kind: linked.kind, linked_id: linked.id })
  await edit(pathOf(topic), { lang: 'en' })
  await edit(pathOf(topic), { linked: { ...linked, kind: 'event' } })
  expect(await read(pathOf(topic))).toMatchObject({ linked_kind: 'event', linked_id: linked.id })
  await edit(pathOf(topic), { linked: null })
  expect(await read(pathOf(topic))).toMatchObject({ linked_kind: null, linked_id: null })
})

it('a reply loses no field that can be sent: made, changed, left alone', async () => {
  const first = { category: 'help', title: 'Where is the water?', body: 'I am thirsty.' }
  const { topic } = await send('/api/forum/topics', 'POST', first)
  const create = async (values: object) =>
    `/api/forum/posts/${(await send(`${pathOf(topic)}/posts`, 'POST', values)).post_id}`
  await checkEveryField(
    postFields,
    {
      body: ['At the *north* gate.', 'At the *south* gate.'],
      lang: ['fr', 'de'],
      reply_to: [1, 2],
      image_url: await twoPictures(app, '/api/forum/images', lena.authToken, 'image'),
    },
    { create, change: edit, read },
    { needed: ['body', 'lang'], onlyAtFirst: ['reply_to', 'image_url'] },
  )
})
