import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { forumPeople } from '../../../test/forum-people.ts'
import { get, type Person } from '../../../test/people.ts'
import { startS3Peer } from '../../../test/peers/s3.ts'
import { api, appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { rooms } from '../../app/rooms.ts'
import { newId } from '../../kit/server/ids.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { record } from '../../staff/server/staff.ts'
import { forum } from '../room.ts'
import { forgetUnusedImages } from './images.ts'

let app: TestApp
let house: House
const neighbour: Room<object> = { name: 'neighbour', looksInto: ['forum'], open: (given) => ((house = given), {}) }
const { fresh, established, trusted, send, newTopic, newReply, cast } = forumPeople(() => app)
let lena: Person
let mia: Person
let noah: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp({ rooms: [...rooms, neighbour] })
  ;({ lena, mia, noah, staff } = await cast())
})
afterAll(() => app.close())

const picture = { create: { width: 8, height: 8, channels: 3, background: '#246' } } as const

describe('a deleted account', () => {
  const ownerOf = async ({ email }: Person) => {
    const { account_id } = await app.db
      .selectFrom('accounts')
      .select('account_id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    return { accountId: account_id, businessId: null, verifiedEmail: null, givenEmail: email }
  }
  const forget = async (person: Person) => {
    const owner = await ownerOf(person)
    await app.db.transaction().execute(async (trx) => {
      for (const keeper of house.answersTo('personalData')) await keeper.forget(trx, owner)
    })
  }

  it('has the decisions of moderators about it in its export, and leaves neither name nor appeal behind', async () => {
    await fresh()
    const banned = await established('Bannedperson')
    const { topic } = await newTopic(lena)
    const { post_id } = await newReply(banned, topic.topic_id, 'Something rude about drums.')
    const reason = 'Not here'
    await send('POST', `/api/forum/moderation/posts/${post_id}`, staff, { action: 'hide', reason })
    await send('POST', '/api/forum/moderation/members/bannedperson', staff, { action: 'ban', reason })
    for (const more of [{ post_id }, {}])
      await send('POST', '/api/forum/appeals', banned, { ...more, text: 'I am Bannedperson of the Drum Alley 7.' })
    const open = async () => (await get(app, '/api/forum/moderation/appeals', staff.authToken)).body
    const [appeal] = (await open()).filter((one: { action: string }) => one.action === 'post_hide')
    const path = `/api/forum/moderation/appeals/${appeal.action_id}`
    expect((await send('POST', path, staff, { decision: 'upheld' })).status).toBe(204)
    const keepers = house.answersTo('personalData')
    const owner = await ownerOf(banned)
    const own = await Promise.all(keepers.map((keeper) => keeper.exportOf(app.db, owner)))
    expect(own.find((tables) => 'forum_moderation' in tables)?.['forum_moderation']).toMatchObject([
      { action: 'post_hide', reason, appeal: 'I am Bannedperson of the Drum Alley 7.', appeal_decision: 'upheld' },
      { action: 'member_ban', reason, appeal: 'I am Bannedperson of the Drum Alley 7.', appeal_decision: null },
      { action: 'appeal_upheld' },
    ])
    // like the command that adds staff
    const { accountId } = await ownerOf(banned)
    const object = { kind: 'account', id: accountId, name: 'Bannedperson' }
    await app.db
      .transaction()
      .execute((trx) =>
        record(trx, house, { accountId: null, name: 'command' }, newId(), { action: 'add-staff', object }),
      )
    await forget(banned)
    const { rows } = await sql<{ text: string }>`
      select row_to_json(a)::text as text from audit_entries a
      union all select row_to_json(m)::text from appeals m`.execute(app.db)
    expect(rows.filter(({ text }) => /Bannedperson|Drum Alley/.test(text))).toEqual([])
    expect((await open()).map(({ action }: { action: string }) => action)).not.toContain('member_ban')
    // the log still names the moderator
    const [entry] = (await get(app, '/api/admin/log?action=moderate-member', staff.authToken)).body
    expect(entry).toMatchObject({ actor: 'staff', object_name: '–' })
  })

  it('takes its likes and flags along: posts count the rest, and the queue is empty', async () => {
    await fresh()
    const leaver = await established('liker')
    const { topic, post } = await newTopic(mia)
    const flagged = await newReply(noah, topic.topic_id, 'Flagged by one who leaves.')
    const likes = async () => (await get(app, '/api/forum/members/mia')).body.likes_received
    const before = await likes()
    for (const person of [leaver, lena])
      expect((await send('PUT', `/api/forum/posts/${post.post_id}/like`, person)).status).toBe(204)
    await send('POST', `/api/forum/posts/${flagged.post_id}/flag`, leaver, { kind: 'spam' })
    await forget(leaver)
    expect((await get(app, `/api/forum/posts/${post.post_id}`)).body.like_count).toBe(1)
    expect(await likes()).toBe(before + 1)
    const queue = (await get(app, '/api/forum/moderation/queue?limit=100', staff.authToken)).body
    expect(queue.map(({ post: one }: { post: { post_id: string } }) => one.post_id)).not.toContain(flagged.post_id)
  })

  it('leaves a post that only its flags had hidden in the queue of moderators', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    const post = await newReply(mia, topic.topic_id, 'Flagged by three who leave.')
    const stateOf = async () => {
      const { body } = await get(app, `/api/forum/topics/${topic.topic_id}/mine`, mia.authToken)
      return body.unseen.find((one: { post_id: string }) => one.post_id === post.post_id)?.state ?? 'visible'
    }
    const flaggers = []
    for (const name of ['flagger-a', 'flagger-b', 'flagger-c']) flaggers.push(await established(name))
    await trusted(...flaggers)
    for (const person of flaggers)
      expect((await send('POST', `/api/forum/posts/${post.post_id}/flag`, person, { kind: 'spam' })).status).toBe(204)
    expect((await get(app, `/api/forum/posts/${post.post_id}`)).status).toBe(404)
    for (const person of flaggers) await forget(person)
    expect(await stateOf()).toBe('waiting')
    const approve = { action: 'approve' }
    expect((await send('POST', `/api/forum/moderation/posts/${post.post_id}`, staff, approve)).status).toBe(204)
    expect(await stateOf()).toBe('visible')
  })

  it('leaves only its posts, by a deleted user', async () => {
    await fresh()
    const leaver = await established('leaver')
    const { topic, post: left } = await newTopic(leaver, { body: 'Words that I want to be rid of.' })
    await send('PATCH', `/api/forum/posts/${left.post_id}`, leaver, { body: 'Words that stay behind.' })
    const form = new FormData()
    form.set('image', new Blob([await sharp(picture).png().toBuffer()], { type: 'image/png' }), 'queue.png')
    const headers = { authorization: `Bearer ${leaver.authToken}` }
    const { image_url } = (await api(app, '/api/forum/images', { method: 'POST', headers, body: form })).body
    const hidden = await newReply(leaver, topic.topic_id, 'A picture that nobody should see.', { image_url })
    const hide = { action: 'hide', reason: 'Not here' }
    await send('POST', `/api/forum/moderation/posts/${hidden.post_id}`, staff, hide)
    const exported = await fetch(`${app.url}/api/me/export`, {
      headers: { authorization: `Bearer ${leaver.authToken}` },
    })
    const archive = Buffer.from(await exported.arrayBuffer())
    for (const table of ['forum_posts', 'forum_revisions']) expect(archive.includes(`${table}.csv`)).toBe(true)
    await forget(leaver)
    const { body } = await get(app, `/api/forum/topics/${topic.topic_id}/posts`)
    expect(body[0]).toMatchObject({ body: 'Words that stay behind.', author: { name: null, handle: null } })
    expect((await get(app, '/api/forum/members/leaver')).status).toBe(404)
    expect((await get(app, `/api/forum/posts/${left.post_id}/history`, staff.authToken)).body).toEqual([])
    const images = () => app.db.selectFrom('forum_images').selectAll().where('post_id', 'is', null).execute()
    expect(await images()).toHaveLength(1)
    await forgetUnusedImages(house.of(forum))
    expect(await images()).toEqual([])
    expect((await fetch(app.url + image_url)).status).toBe(404)
  })
})

it('a post is deleted although the bucket hangs; its picture is deleted once the bucket answers', async () => {
  const keys = { accessKeyId: 'festival', secretAccessKey: 'secret', region: 'auto' }
  const bucket = await startS3Peer(keys)
  const ours = await appForTest({
    env: {
      S3_ENDPOINT: bucket.endpoint,
      S3_REGION: keys.region,
      S3_BUCKET: 'festival',
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
  })
  onTestFinished(() => bucket.close())
  const people = forumPeople(() => ours)
  const ida = await people.established('ida')
  const form = new FormData()
  form.set('image', new Blob([await sharp(picture).png().toBuffer()], { type: 'image/png' }), 'queue.png')
  const headers = { authorization: `Bearer ${ida.authToken}` }
  const sent = await api(ours, '/api/forum/images', { method: 'POST', headers, body: form })
  expect(sent.status, sent.text).toBe(201)
  const { image_url } = sent.body as { image_url: string }
  const { post } = await people.newTopic(ida, { image_url })
  expect(bucket.objects.size).toBe(1)

  bucket.hang()
  expect((await people.send('DELETE', `/api/forum/posts/${post.post_id}`, ida)).status).toBe(204)
  await ours.runJobs()
  expect(bucket.objects.size).toBe(1)
  // meanwhile the picture cannot be used in another post
  const again = await people.send('POST', '/api/forum/topics', ida, people.aTopic({ image_url }))
  expect(again.status).toBe(400)
  bucket.hang(false)
  await sql`update jobs.job set start_after = now() where state = 'retry'`.execute(ours.db)
  await ours.runJobs()
  expect(bucket.objects.size).toBe(0)
  expect(await ours.db.selectFrom('forum_images').selectAll().execute()).toEqual([])
})
