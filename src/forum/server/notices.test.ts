import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forumPeople } from '../../../test/forum-people.ts'
import { get, type Person } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { openStream } from '../../../test/streams.ts'
import { keepsNotifications } from '../../notifications/server/notifications.ts'

let app: TestApp
const { fresh, established, send, newTopic, newReply } = forumPeople(() => app)
let lena: Person
let mia: Person
let noah: Person
beforeAll(async () => {
  app = await startTestApp()
  lena = await established('lena')
  mia = await established('mia')
  noah = await established('noah')
  await fresh()
})
afterAll(() => app.close())

/** What somebody is told since they last looked. */
const told = async (person: Person) => {
  await app.runJobs()
  const list = (await get(app, '/api/notifications', person.authToken)).body as {
    text: string
    path: string
    read_at: string | null
  }[]
  await send('POST', '/api/notifications/read', person, {})
  return list.filter(({ read_at }) => read_at === null).map(({ text, path }) => ({ text, path }))
}
const texts = async (person: Person) => (await told(person)).map(({ text }) => text)

describe('the bell', () => {
  it('tells who is answered, mentioned or watching, once for a post, and never the author', async () => {
    const { topic } = await newTopic(lena, { title: 'Where is the best view?' })
    await send('PUT', `/api/forum/topics/${topic.topic_id}/watch`, noah, { mode: 'watch' })
    await newReply(mia, topic.topic_id, 'From the bridge, says @noah.')
    expect(await told(lena)).toEqual([
      { text: 'mia replied to you in “Where is the best view?”', path: `/topic/${topic.topic_id}#post-2` },
    ])
    expect(await texts(noah)).toEqual([
      expect.stringMatching(/^mia (mentioned you|wrote) in “Where is the best view\?”$/),
    ])
    expect(await texts(mia)).toEqual([])
  })

  it('groups what is unread of a topic', async () => {
    await fresh()
    const { topic } = await newTopic(lena, { title: 'Who else is here?' })
    await newReply(mia, topic.topic_id, 'Me, near the stage.')
    await fresh()
    await newReply(noah, topic.topic_id, 'And me, by the water.')
    expect(await texts(lena)).toEqual(['2 new replies to you in “Who else is here?”'])
  })

  it('drops the name of a person who deletes their account', async () => {
    await fresh()
    const { topic } = await newTopic(lena, { title: 'Who brings a lantern?' })
    const leaver = await established('leaver')
    await newReply(leaver, topic.topic_id, 'I do.')
    const listed = async (person: Person) =>
      (await get(app, '/api/notifications', person.authToken)).body.map(({ text }: { text: string }) => text)
    await app.runJobs()
    expect(await listed(lena)).toContain('leaver replied to you in “Who brings a lantern?”')
    const { account_id: accountId } = await app.db
      .selectFrom('accounts')
      .select('account_id')
      .where('email', '=', leaver.email)
      .executeTakeFirstOrThrow()
    const owner = { accountId, businessId: null, verifiedEmail: null, givenEmail: leaver.email }
    await app.db.transaction().execute((trx) => keepsNotifications.forget(trx, owner))
    expect(await listed(lena)).toContain('– replied to you in “Who brings a lantern?”')
    expect((await listed(lena)).join()).not.toContain('leaver')
    await send('POST', '/api/notifications/read', lena, {})
  })

  it('is silent for muted topics and blocked people', async () => {
    await fresh()
    const { topic } = await newTopic(lena, { title: 'What about the weather?' })
    await send('PUT', `/api/forum/topics/${topic.topic_id}/watch`, lena, { mode: 'mute' })
    await newReply(mia, topic.topic_id, 'It will rain, @lena.')
    expect(await texts(lena)).toEqual([])
    await send('PUT', `/api/forum/topics/${topic.topic_id}/watch`, lena, { mode: 'normal' })
    expect((await send('PUT', '/api/forum/members/noah/block', lena)).status).toBeLessThan(300)
    await fresh()
    await newReply(noah, topic.topic_id, 'No, @lena, it will be dry.')
    expect(await texts(lena)).toEqual([])
  })
})

it('a new post reaches open pages of its topic, also those of guests', async () => {
  await fresh()
  const { topic } = await newTopic(mia, { title: 'Live from the bridge' })
  const stream = await openStream(app, `topic:${topic.topic_id}`)
  await fresh()
  await newReply(noah, topic.topic_id, 'I can see you.')
  await expect
    .poll(() => stream.changes())
    .toMatchObject([{ channel: `topic:${topic.topic_id}`, kind: 'post', data: { post_number: 2 } }])
})
