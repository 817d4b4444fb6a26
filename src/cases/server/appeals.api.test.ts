import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { forumTown, untilSomebodyWaits } from '../../../test/forum-people.ts'
import { get, type Person } from '../../../test/people.ts'
import type { TestApp } from '../../../test/start-app.ts'
import { rooms } from '../../app/rooms.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { cases } from '../room.ts'
import { closeEndedAppeals } from './settle-appeals.ts'

let house: House
const neighbour: Room<object> = { name: 'neighbour', looksInto: ['cases'], open: (given) => ((house = given), {}) }
const { town, later, fresh, send, newTopic, reply, newReply } = forumTown({ rooms: [...rooms, neighbour] })
let app: TestApp
let lena: Person
let mia: Person
let noah: Person
let staff: Person
beforeAll(() => {
  ;({ app, lena, mia, noah, staff } = town)
})

describe('appeals', () => {
  it('a hidden post can be appealed once, and comes back when the decision is overturned', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    const hidden = await newReply(lena, topic.topic_id, 'A misunderstanding about cheese.')
    const path = `/api/forum/moderation/posts/${hidden.post_id}`
    expect((await send('POST', path, staff, { action: 'hide' })).body.fields).toHaveProperty('reason')
    expect((await send('POST', path, staff, { action: 'hide', reason: 'Off topic' })).status).toBe(204)
    const own = await get(app, `/api/forum/topics/${topic.topic_id}/mine`, lena.authToken)
    expect(own.body.unseen).toMatchObject([{ post_id: hidden.post_id, state: 'hidden', reason: 'Off topic' }])
    const appeal = { post_id: hidden.post_id, text: 'Cheese is always on topic.' }
    expect((await send('POST', '/api/forum/appeals', mia, appeal)).status).toBe(409)
    expect((await send('POST', '/api/forum/appeals', lena, appeal)).status).toBe(204)
    expect((await send('POST', '/api/forum/appeals', lena, appeal)).status).toBe(409)
    const [open] = (await get(app, '/api/forum/moderation/appeals', staff.authToken)).body
    expect(open).toMatchObject({
      action: 'post_hide',
      appeal: 'Cheese is always on topic.',
      member: { handle: 'lena' },
      body: 'A misunderstanding about cheese.',
      edited_at: null,
    })
    const decide = `/api/forum/moderation/appeals/${open.action_id}`
    expect((await send('POST', decide, staff, { decision: 'overturned' })).status).toBe(204)
    expect((await send('POST', decide, staff, { decision: 'upheld' })).status).toBe(404)
    expect((await get(app, `/api/forum/posts/${hidden.post_id}`)).status).toBe(200)
    const log = (await get(app, '/api/admin/log?limit=2', staff.authToken)).body
    expect(log).toMatchObject([
      { after: { what: 'appeal_overturned' } },
      { after: { what: 'post_hide' }, reason: 'Off topic' },
    ])
  })

  it('the log offers no undo of a decision whose appeal was granted', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    const { post_id } = await newReply(lena, topic.topic_id, 'Some thoughts about fondue.')
    const hide = { action: 'hide', reason: 'Off topic' }
    expect((await send('POST', `/api/forum/moderation/posts/${post_id}`, staff, hide)).status).toBe(204)
    const hidden = async () => (await get(app, '/api/admin/log?action=moderate-post&limit=1', staff.authToken)).body[0]
    const { entry_id } = await hidden()
    expect((await send('POST', '/api/forum/appeals', lena, { post_id, text: 'Fondue matters.' })).status).toBe(204)
    expect(await hidden()).toMatchObject({ entry_id, can_undo: true })
    later(1)
    const decide = `/api/forum/moderation/appeals/${entry_id}`
    expect((await send('POST', decide, staff, { decision: 'overturned' })).status).toBe(204)
    expect(await hidden()).toMatchObject({ entry_id, can_undo: false })
    const undo = await send('POST', `/api/admin/log/${entry_id}/undo`, staff)
    expect(undo.body.code).toBe('changed_later')
  })

  it('the log offers the undo of a decision whose appeal was rejected, and of one that was restored later', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    for (const ending of ['upheld', 'restored']) {
      const { post_id } = await newReply(lena, topic.topic_id, `Thoughts about raclette, ${ending}.`)
      const path = `/api/forum/moderation/posts/${post_id}`
      expect((await send('POST', path, staff, { action: 'hide', reason: 'Off topic' })).status).toBe(204)
      const entries = async () => (await get(app, '/api/admin/log?action=moderate-post', staff.authToken)).body
      const [{ entry_id }] = await entries()
      expect((await send('POST', '/api/forum/appeals', lena, { post_id, text: 'It matters.' })).status).toBe(204)
      later(1)
      const ended =
        ending === 'upheld'
          ? await send('POST', `/api/forum/moderation/appeals/${entry_id}`, staff, { decision: 'upheld' })
          : await send('POST', path, staff, { action: 'restore' })
      expect(ended.status).toBe(204)
      const entry = (await entries()).find((each: { entry_id: string }) => each.entry_id === entry_id)
      expect(entry).toMatchObject({ can_undo: true })
    }
  })

  it('a moderator can read and show a hidden post that its author has changed; others cannot read it', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    const { post_id } = await newReply(lena, topic.topic_id, 'Rude words about cheese.')
    const path = `/api/forum/moderation/posts/${post_id}`
    expect((await send('POST', path, staff, { action: 'hide', reason: 'Rude' })).status).toBe(204)
    later(1)
    const kinder = 'Kind words about cheese.'
    expect((await send('PATCH', `/api/forum/posts/${post_id}`, lena, { body: kinder })).status).toBe(200)
    expect((await get(app, `/api/forum/posts/${post_id}`)).status).toBe(404)
    expect((await get(app, `/api/forum/posts/${post_id}`, mia.authToken)).status).toBe(404)
    const read = await get(app, `/api/forum/posts/${post_id}`, staff.authToken)
    expect(read.body).toMatchObject({ state: 'hidden', reason: 'Rude', body: kinder })
    expect((await send('POST', path, staff, { action: 'restore', seen: null })).body.code).toBe('post_changed')
    expect((await send('POST', path, staff, { action: 'restore', seen: read.body.edited_at })).status).toBe(204)
    expect((await get(app, `/api/forum/posts/${post_id}`)).body.body).toBe(kinder)
  })

  it('an overturned decision leaves a newer silence, ban or hiding in place', async () => {
    const openAppeal = async (text: string) =>
      (await get(app, '/api/forum/moderation/appeals', staff.authToken)).body.find(
        ({ appeal }: { appeal: string }) => appeal === text,
      ).action_id as string
    const takeBack = async (text: string) => {
      later(1)
      const path = `/api/forum/moderation/appeals/${await openAppeal(text)}`
      expect((await send('POST', path, staff, { decision: 'overturned' })).status).toBe(204)
    }
    await fresh()
    const { topic } = await newTopic(mia)
    const { post_id } = await newReply(noah, topic.topic_id, 'Words about a lantern.')
    const member = async (body: object) => {
      later(1)
      expect((await send('POST', '/api/forum/moderation/members/noah', staff, body)).status).toBe(204)
    }
    const postIs = async (body: object) => {
      later(1)
      expect((await send('POST', `/api/forum/moderation/posts/${post_id}`, staff, body)).status).toBe(204)
    }
    const appeal = async (body: object) =>
      expect((await send('POST', '/api/forum/appeals', noah, body)).status).toBe(204)

    await member({ action: 'silence', hours: 2, reason: 'First' })
    await appeal({ text: 'I was calm.' })
    await member({ action: 'silence', hours: 3, reason: 'Second' })
    await takeBack('I was calm.')
    expect((await reply(noah, topic.topic_id, 'Hello?')).body.code).toBe('silenced')
    await member({ action: 'unsilence' })

    await postIs({ action: 'hide', reason: 'First' })
    await appeal({ post_id, text: 'It was about light.' })
    await postIs({ action: 'hide', reason: 'Second' })
    await takeBack('It was about light.')
    expect((await get(app, `/api/forum/posts/${post_id}`)).status).toBe(404)

    // A newer decision that was undone does not count.
    await member({ action: 'silence', hours: 2, reason: 'Third' })
    await appeal({ text: 'I was calm again.' })
    await member({ action: 'silence', hours: 4, reason: 'By mistake' })
    const [mistake] = (await get(app, '/api/admin/log?action=moderate-member', staff.authToken)).body
    expect((await send('POST', `/api/admin/log/${mistake.entry_id}/undo`, staff)).status).toBe(200)
    await takeBack('I was calm again.')
    await newReply(noah, topic.topic_id, 'Thank you for the light.')
  })

  it('a ban, an appeal against it and a like of the moderator’s post do not deadlock', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    await newReply(staff, topic.topic_id, 'The festival says hello.')
    /** As a like does it: the members with the lower id first, who was here earlier. */
    const besideALike = async (decide: () => ReturnType<typeof send>) => {
      let deciding!: ReturnType<typeof send>
      await app.db.transaction().execute(async (trx) => {
        await sql`select from forum_members where handle = 'lena' for no key update`.execute(trx)
        deciding = decide()
        await untilSomebodyWaits(app)
        await sql`select from forum_members where handle = 'staff' for no key update`.execute(trx)
      })
      return (await deciding).status
    }
    const ban = { action: 'ban', reason: 'Rude' }
    expect(await besideALike(() => send('POST', '/api/forum/moderation/members/lena', staff, ban))).toBe(204)
    expect((await send('POST', '/api/forum/appeals', lena, { text: 'It was a joke.' })).status).toBe(204)
    const [{ action_id }] = (await get(app, '/api/forum/moderation/appeals', staff.authToken)).body
    const right = { decision: 'overturned' }
    expect(await besideALike(() => send('POST', `/api/forum/moderation/appeals/${action_id}`, staff, right))).toBe(204)
  })

  it('an appeal closes when its decision is lifted in another way, and opens again when that is undone', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const { post_id } = await newReply(mia, topic.topic_id, 'Words about a drum.')
    const onPost = `/api/forum/moderation/posts/${post_id}`
    const onMia = '/api/forum/moderation/members/mia'
    const decide = async (path: string, body: object) => {
      later(1)
      expect((await send('POST', path, staff, body)).status).toBe(204)
    }
    const undo = async (action: string) => {
      later(1)
      const [entry] = (await get(app, `/api/admin/log?action=${action}`, staff.authToken)).body
      expect((await send('POST', `/api/admin/log/${entry.entry_id}/undo`, staff)).status).toBe(200)
    }
    const open = async () =>
      (await get(app, '/api/forum/moderation/appeals', staff.authToken)).body
        .map(({ appeal }: { appeal: string }) => appeal)
        .filter((text: string) => text.startsWith('Mia: '))
    const appeal = async (text: string, more = {}) =>
      expect((await send('POST', '/api/forum/appeals', mia, { text, ...more })).status).toBe(204)

    await decide(onPost, { action: 'hide', reason: 'Loud' })
    await appeal('Mia: a drum is quiet', { post_id })
    await decide(onMia, { action: 'silence', hours: 5, reason: 'Loud' })
    await appeal('Mia: I was quiet')
    await decide(onMia, { action: 'unban' })
    expect(await open()).toEqual(['Mia: a drum is quiet', 'Mia: I was quiet'])
    await decide(onMia, { action: 'unsilence' })
    expect(await open()).toEqual(['Mia: a drum is quiet'])
    await undo('moderate-member')
    expect(await open()).toEqual(['Mia: a drum is quiet', 'Mia: I was quiet'])
    await decide(onPost, { action: 'restore' })
    expect(await open()).toEqual(['Mia: I was quiet'])
    await undo('moderate-post')
    expect(await open()).toEqual(['Mia: a drum is quiet', 'Mia: I was quiet'])
    // The decisions themselves are undone; of the two about the person, the later one first.
    for (const action of ['member_unban', 'member_silence', 'post_hide']) {
      const kind = action === 'post_hide' ? 'moderate-post' : 'moderate-member'
      const entries = (await get(app, `/api/admin/log?action=${kind}`, staff.authToken)).body
      const entry = entries.find(({ after }: { after: { what: string } }) => after.what === action)
      expect((await send('POST', `/api/admin/log/${entry.entry_id}/undo`, staff)).status).toBe(200)
    }
    expect(await open()).toEqual([])
    expect(await settled('Mia: ')).toEqual([
      { what: 'member_silence', decision: 'overturned' },
      { what: 'post_hide', decision: 'overturned' },
    ])
  })

  it('an appeal about a silence that ran out, or a deleted post, closes by itself and notifies the person who appealed', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const { post_id } = await newReply(noah, topic.topic_id, 'Words about a trumpet.')
    const decide = async (path: string, body: object) => {
      later(1)
      expect((await send('POST', `/api/forum/moderation/${path}`, staff, body)).status).toBe(204)
    }
    const appeal = (text: string, more = {}) => send('POST', '/api/forum/appeals', noah, { text, ...more })
    const open = async () =>
      (await get(app, '/api/forum/moderation/appeals', staff.authToken)).body
        .map(({ appeal: text }: { appeal: string }) => text)
        .filter((text: string) => text.startsWith('Noah: '))
    const told = async () => {
      const list = (await get(app, '/api/notifications', noah.authToken)).body as { type: string; text: string }[]
      return list.filter(({ type }) => type === 'forum_appeal').map(({ text }) => text)
    }
    const before = (await told()).length

    await decide(`posts/${post_id}`, { action: 'hide', reason: 'Loud' })
    await decide('members/noah', { action: 'silence', hours: 1, reason: 'Loud' })
    expect((await appeal('Noah: a trumpet is loud', { post_id })).status).toBe(204)
    expect((await appeal('Noah: I was asleep')).status).toBe(204)
    await closeEndedAppeals(house.of(cases))
    expect(await open()).toEqual(['Noah: a trumpet is loud', 'Noah: I was asleep'])

    expect((await send('DELETE', `/api/forum/posts/${post_id}`, noah)).status).toBe(204)
    expect(await open()).toEqual(['Noah: I was asleep'])
    expect((await told())[0]).toMatch(/^Your appeal about your post “.* #2” is closed, because the post was deleted$/)
    expect((await appeal('Noah: again', { post_id })).body.code).toBe('nothing_to_appeal')

    await fresh(61)
    await closeEndedAppeals(house.of(cases))
    expect(await open()).toEqual([])
    expect((await told())[0]).toBe('The pause of your posting in the forum has ended, so your appeal is closed')
    expect(await told()).toHaveLength(before + 2)
    // A silence that ran out can no longer be appealed.
    await decide('members/noah', { action: 'silence', hours: 1, reason: 'Loud' })
    await fresh(61)
    expect((await appeal('Noah: too late')).body.code).toBe('nothing_to_appeal')
    expect(await settled('Noah: ')).toEqual([
      { what: 'member_silence', decision: 'closed' },
      { what: 'post_hide', decision: 'closed' },
    ])
  })
})

/** How the appeals whose text begins with this were settled. */
const settled = (begin: string) =>
  app.db
    .selectFrom('appeals')
    .select(['what', 'decision'])
    .where('appeal', 'like', `${begin}%`)
    .orderBy('what')
    .execute()
