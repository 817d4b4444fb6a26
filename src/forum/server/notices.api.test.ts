import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forumPeople } from '../../../test/forum-people.ts'
import { get, mailsTo, type Person } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { openStream } from '../../../test/streams.ts'
import { rooms } from '../../app/rooms.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { notifications } from '../../notifications/room.ts'
import { notificationPersonalData, queueDueMails } from '../../notifications/server/notifications.ts'

let app: TestApp
let house: House
const neighbour: Room<object> = {
  name: 'neighbour',
  looksInto: ['notifications'],
  open: (given) => ((house = given), {}),
}
const { fresh, later, established, trusted, moderator, send, newTopic, newReply } = forumPeople(() => app)
let lena: Person
let mia: Person
let noah: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp({ rooms: [...rooms, neighbour] })
  lena = await established('lena')
  mia = await established('mia')
  noah = await established('noah')
  staff = await moderator('staff')
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
    await app.db.transaction().execute((trx) => notificationPersonalData.forget(trx, owner))
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
    expect((await send('DELETE', '/api/forum/members/noah/block', lena)).status).toBeLessThan(300)
  })

  it('tells of a post by another kind where one is turned off, and once where all are on', async () => {
    const choose = (channels: string[]) =>
      send('PATCH', '/api/notifications/settings', lena, { type: 'forum_reply', channels })
    for (const channels of [[], ['in_app']]) {
      await fresh()
      const { topic } = await newTopic(lena, { title: 'What do you hear of it?' })
      await send('PUT', `/api/forum/topics/${topic.topic_id}/watch`, lena, { mode: 'watch' })
      expect((await choose(channels)).status).toBe(200)
      await newReply(mia, topic.topic_id, `Only the bass ${channels.length}.`)
      expect(await texts(lena)).toHaveLength(1)
      await newReply(mia, topic.topic_id, `And the drums ${channels.length}, @lena.`)
      expect(await texts(lena)).toHaveLength(1)
    }
  })

  it('takes back what it told of a post or a topic that others do not see any more, and no mail of it leaves', async () => {
    await fresh()
    const unread = async () => (await get(app, '/api/notifications/unread', noah.authToken)).body.unread as number
    const choice = { type: 'forum_mention', channels: ['in_app', 'email'] }
    expect((await send('PATCH', '/api/notifications/settings', noah, choice)).status).toBe(200)
    const mails = async () => {
      later(11)
      await queueDueMails(house.of(notifications))
      await app.runJobs()
      return (await mailsTo(app, noah.email)).map(({ subject }) => subject)
    }
    await send('POST', '/api/notifications/read', noah, {})
    const before = await mails()

    const { topic } = await newTopic(lena, { title: 'Which words are rude?' })
    await newReply(mia, topic.topic_id, 'All of mine, @noah.')
    await app.runJobs()
    expect(await unread()).toBe(1)
    const hide = { action: 'hide', reason: 'Rude' }
    expect((await send('POST', `/api/forum/moderation/topics/${topic.topic_id}`, staff, hide)).status).toBe(204)
    expect(await unread()).toBe(0)
    expect(await mails()).toEqual(before)

    await fresh()
    const { topic: other } = await newTopic(lena, { title: 'Which words are kind?' })
    const { post_id } = await newReply(mia, other.topic_id, 'None of mine, @noah.')
    await app.runJobs()
    expect(await unread()).toBe(1)
    expect((await send('DELETE', `/api/forum/posts/${post_id}`, mia)).status).toBe(204)
    expect(await unread()).toBe(0)
    expect(await mails()).toEqual(before)

    // what others see is mailed
    await fresh()
    await newReply(mia, other.topic_id, 'Some of mine, @noah.')
    await app.runJobs()
    expect(await mails()).toHaveLength(before.length + 1)
  })

  it('takes back what it told of a post before its topic was merged, also twice', async () => {
    await fresh()
    const unread = async () => (await get(app, '/api/notifications/unread', noah.authToken)).body.unread as number
    await send('POST', '/api/notifications/read', noah, {})
    const [{ topic: first }, { topic: second }, { topic: third }] = [
      await newTopic(lena, { title: 'Where does the ferry land?' }),
      await newTopic(lena, { title: 'Ferries of the Rhine' }),
      await newTopic(lena, { title: 'Boats, all of them' }),
    ]
    const { post_id } = await newReply(mia, first.topic_id, 'Below the Münster, @noah.')
    await fresh()
    const { post_id: other } = await newReply(mia, second.topic_id, 'Four of them, @noah.')
    await app.runJobs()
    expect(await unread()).toBe(2)
    const moderate = async (path: string, body: object) =>
      expect((await send('POST', `/api/forum/moderation/${path}`, staff, body)).status).toBe(204)
    await moderate(`topics/${first.topic_id}`, { action: 'merge', into: second.topic_id })
    await moderate(`topics/${second.topic_id}`, { action: 'merge', into: third.topic_id })
    expect(await unread()).toBe(2)
    await moderate(`posts/${post_id}`, { action: 'hide', reason: 'Rude' })
    expect(await unread()).toBe(1)
    const [left] = (await get(app, '/api/notifications', noah.authToken)).body
    expect(left.text).toContain('Ferries of the Rhine')
    await moderate(`topics/${third.topic_id}`, { action: 'hide', reason: 'Rude' })
    expect(await unread()).toBe(0)
    expect((await get(app, `/api/forum/posts/${other}`)).status).toBe(404)
  })

  it('goes on for who watches a topic, and stays silent for who muted it, where that topic is merged', async () => {
    await fresh()
    const { topic: from } = await newTopic(lena, { title: 'Where do trams stop?' })
    const { topic: into } = await newTopic(lena, { title: 'Trams, all of them' })
    const choose = (person: Person, mode: string, { topic_id } = from) =>
      send('PUT', `/api/forum/topics/${topic_id}/watch`, person, { mode })
    const theo = await established('theo')
    await choose(noah, 'watch')
    await choose(mia, 'mute')
    await choose(theo, 'mute')
    await choose(theo, 'watch', into)
    // who has only read the other topic has chosen nothing there
    await send('PUT', `/api/forum/topics/${into.topic_id}/read`, noah, { post_number: 1 })
    const merge = { action: 'merge', into: into.topic_id }
    expect((await send('POST', `/api/forum/moderation/topics/${from.topic_id}`, staff, merge)).status).toBe(204)
    await fresh()
    for (const person of [noah, mia, theo]) await told(person)
    await newReply(lena, into.topic_id, 'The last one leaves at three, @mia.')
    expect(await texts(noah)).toEqual([expect.stringContaining('Trams, all of them')])
    expect(await texts(mia)).toEqual([])
    expect(await texts(theo)).toHaveLength(1)
  })
})

it('a post that is edited, deleted, or hidden by flags changes on open pages of its topic', async () => {
  await fresh()
  const theo = await established('flagging-theo')
  const { topic } = await newTopic(mia, { title: 'Changes on the bridge' })
  const edited = await newReply(mia, topic.topic_id, 'I can see you.')
  const rude = await newReply(noah, topic.topic_id, 'Something rude.')
  await fresh()
  const stream = await openStream(app, `topic:${topic.topic_id}`)
  const numbers = () => stream.changes().map(({ data }) => (data as { post_number: number }).post_number)
  await send('PATCH', `/api/forum/posts/${edited.post_id}`, mia, { body: 'I can hear you.' })
  await expect.poll(numbers).toEqual([2])
  await send('DELETE', `/api/forum/posts/${edited.post_id}`, mia)
  await expect.poll(numbers).toEqual([2, 2])
  await trusted(lena, mia, theo)
  for (const person of [lena, mia, theo])
    await send('POST', `/api/forum/posts/${rude.post_id}/flag`, person, { kind: 'offensive' })
  await expect.poll(numbers).toEqual([2, 2, 3])
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
