import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { forumTown, untilSomebodyWaits } from '../../../test/forum-people.ts'
import { everyPage, get, type Person } from '../../../test/people.ts'
import { api, type TestApp } from '../../../test/start-app.ts'
import { rooms } from '../../app/rooms.ts'
import { newId } from '../../kit/server/ids.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { forum } from '../../forum/room.ts'
import { createPost, createTopic } from '../../forum/server/forum.ts'

let house: House
const neighbour: Room<object> = { name: 'neighbour', looksInto: ['forum'], open: (given) => ((house = given), {}) }
const { town, later, fresh, newcomer, established, trusted, send, newTopic, reply, newReply, change } = forumTown({
  rooms: [...rooms, neighbour],
})
let app: TestApp
let lena: Person
let mia: Person
let noah: Person
let staff: Person
beforeAll(() => {
  ;({ app, lena, mia, noah, staff } = town)
})

const picture = { create: { width: 8, height: 8, channels: 3, background: '#246' } } as const

describe('moderation', () => {
  it('flags of three known members hide a post until a moderator decides', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const bad = await newReply(lena, topic.topic_id, 'Something rude about brass bands.')
    const nina = await newcomer(`nina${bad.post_number}`)
    const flag = (person: Person) => send('POST', `/api/forum/posts/${bad.post_id}/flag`, person, { kind: 'offensive' })
    // A newcomer's flag appears in the queue, but does not hide the post.
    for (const person of [nina, mia, mia, noah]) expect((await flag(person)).status).toBe(204)
    expect((await get(app, `/api/forum/posts/${bad.post_id}`)).status).toBe(200)
    const queue = await get(app, '/api/forum/moderation/queue', staff.authToken)
    expect(queue.body.at(-1)).toMatchObject({ post: { post_id: bad.post_id }, flags: [{}, {}, {}] })
    const third = await established(`theo${bad.post_number}`)
    await trusted(mia, noah, third)
    for (const person of [mia, noah]) expect((await flag(person)).status).toBe(204)
    expect((await get(app, `/api/forum/posts/${bad.post_id}`)).status).toBe(200)
    expect((await flag(third)).status).toBe(204)
    expect((await get(app, `/api/forum/posts/${bad.post_id}`)).status).toBe(404)
    const shown = await get(app, `/api/forum/topics/${topic.topic_id}/posts`)
    expect(shown.body[1]).toMatchObject({ state: 'hidden', body: '', content: [] })
    const decide = (body: object) => send('POST', `/api/forum/moderation/posts/${bad.post_id}`, staff, body)
    expect((await decide({ action: 'dismiss' })).status).toBe(204)
    expect((await get(app, `/api/forum/posts/${bad.post_id}`)).status).toBe(200)
    expect((await decide({ action: 'approve' })).status).toBe(409)
  })

  it('pages of the log hold each entry once, also while new ones are made', async () => {
    await fresh()
    const { topic } = await newTopic(lena, { title: 'Pinned and let go' })
    const moderate = async (action: string) =>
      expect((await send('POST', `/api/forum/moderation/topics/${topic.topic_id}`, staff, { action })).status).toBe(204)
    // Two entries at each instant of the test's clock.
    const made = ['pin', 'lock', 'unpin', 'unlock', 'pin']
    for (const [n, action] of made.entries()) {
      if (n % 2 === 0) later(1)
      await moderate(action)
    }
    const path = '/api/admin/log?action=moderate-topic&limit=2'
    const entries = await everyPage<{ entry_id: string; object_id: string; after: { what: string } }>(
      app,
      path,
      staff.authToken,
      () => moderate('lock'),
    )
    const own = entries.filter(({ object_id }) => object_id === topic.topic_id)
    expect(own.map(({ after }) => after.what)).toEqual(made.toReversed().map((action) => `topic_${action}`))
    expect(new Set(entries.map(({ entry_id }) => entry_id)).size).toBe(entries.length)
  })

  it('flags that are already dismissed or taken up are not decided again, and the log has one entry', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const { post_id } = await newReply(mia, topic.topic_id, 'Flagged once, decided once.')
    expect((await send('POST', `/api/forum/posts/${post_id}/flag`, noah, { kind: 'spam' })).status).toBe(204)
    const entries = async () =>
      (await get(app, '/api/admin/log?action=moderate-post', staff.authToken)).body.filter(
        (entry: { object_id: string }) => entry.object_id === post_id,
      ).length
    let logged = 0
    for (const action of ['take_up', 'dismiss']) {
      const decide = () => send('POST', `/api/forum/moderation/posts/${post_id}`, staff, { action })
      expect((await decide()).status).toBe(204)
      expect(await decide()).toMatchObject({ status: 409, body: { code: 'already_decided' } })
      expect(await entries()).toBe(++logged)
    }
  })

  it('a flagged post that its author deletes leaves the queue, and its flags are settled', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const { post_id } = await newReply(mia, topic.topic_id, 'Flagged, and gone before anybody looked.')
    const waiting = async () => {
      const desks = (await get(app, '/api/admin', staff.authToken)).body as { key: string; open: number }[]
      return desks.find(({ key }) => key === 'moderation')!.open
    }
    const before = await waiting()
    expect((await send('POST', `/api/forum/posts/${post_id}/flag`, noah, { kind: 'spam' })).status).toBe(204)
    expect(await waiting()).toBe(before + 1)
    expect((await send('DELETE', `/api/forum/posts/${post_id}`, mia)).status).toBe(204)
    expect(await waiting()).toBe(before)
    const flags = () => app.db.selectFrom('forum_flags').select('state').where('post_id', '=', post_id).execute()
    expect(await flags()).toEqual([{ state: 'resolved' }])
  })

  it('the picture of a hidden post is available only to its author and moderators, for some minutes', async () => {
    await fresh()
    const upload = async (person: Person) => {
      const form = new FormData()
      form.set('image', new Blob([await sharp(picture).png().toBuffer()], { type: 'image/png' }), 'queue.png')
      const headers = { authorization: `Bearer ${person.authToken}` }
      return (await api(app, '/api/forum/images', { method: 'POST', headers, body: form })).body.image_url as string
    }
    const look = async (path: string) => {
      const { status, headers } = await fetch(app.url + path)
      return [status, status === 200 ? headers.get('cache-control') : null]
    }
    const seen = [200, 'public, max-age=300']
    const image_url = await upload(mia)
    expect(await look(image_url)).toEqual(seen)
    const { topic, post } = await newTopic(mia, { image_url })
    expect(await look(image_url)).toEqual(seen)
    const hide = { action: 'hide', reason: 'Not here' }
    expect((await send('POST', `/api/forum/moderation/posts/${post.post_id}`, staff, hide)).status).toBe(204)
    expect(await look(image_url)).toEqual([404, null])
    const own = await get(app, `/api/forum/topics/${topic.topic_id}/mine`, mia.authToken)
    expect(await look(own.body.unseen[0].image_url)).toEqual([200, 'private, no-store'])
    const [entry] = (await get(app, '/api/admin/log?action=moderate-post', staff.authToken)).body
    await send('POST', `/api/admin/log/${entry.entry_id}/undo`, staff)
    expect(await look(image_url)).toEqual(seen)
    const onTopic = (action: string) =>
      send('POST', `/api/forum/moderation/topics/${topic.topic_id}`, staff, { action })
    await onTopic('hide')
    expect(await look(image_url)).toEqual([404, null])
    await onTopic('restore')
    expect(await look(image_url)).toEqual(seen)

    const linker = await newcomer('picture-linker')
    const waiting = await newReply(linker, topic.topic_id, 'See https://choir.example tonight', {
      image_url: await upload(linker),
    })
    const queue = (await get(app, '/api/forum/moderation/queue?limit=100', staff.authToken)).body
    const queued = queue.find((one: { post: { post_id: string } }) => one.post.post_id === waiting.post_id)
    const keyed = queued.post.image_url as string
    expect(await look(keyed)).toEqual([200, 'private, no-store'])
    const [plain, key] = keyed.split('?')
    for (const wrong of ['', '?key=1.x', `?${key!.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))}`])
      expect(await look(plain + wrong)).toEqual([404, null])
    later(20)
    expect(await look(keyed)).toEqual([404, null])
    await fresh()
    await send('POST', `/api/forum/moderation/posts/${waiting.post_id}`, staff, { action: 'approve' })
    expect(await look(plain!)).toEqual(seen)
  })

  it('a reply that waits does not count as a new post of its topic until it is approved', async () => {
    const { topic } = await newTopic(lena)
    const numbers = async () => {
      const { last_number, last_visible_number } = (await get(app, `/api/forum/topics/${topic.topic_id}`)).body
      return [last_number, last_visible_number]
    }
    const linker = await newcomer('waiting-linker')
    const waiting = await newReply(linker, topic.topic_id, 'See https://choir.example tonight')
    expect(waiting.state).toBe('waiting')
    expect(await numbers()).toEqual([2, 1])
    await send('POST', `/api/forum/moderation/posts/${waiting.post_id}`, staff, { action: 'approve' })
    expect(await numbers()).toEqual([2, 2])
  })

  it('a post whose flags were dismissed can be flagged again by the same person once its author has changed it', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const { post_id } = await newReply(mia, topic.topic_id, 'A harmless remark about trams.')
    const flagIt = () => send('POST', `/api/forum/posts/${post_id}/flag`, noah, { kind: 'offensive', note: 'Look' })
    const dismiss = () => send('POST', `/api/forum/moderation/posts/${post_id}`, staff, { action: 'dismiss' })
    const flags = () => app.db.selectFrom('forum_flags').select('state').where('post_id', '=', post_id).execute()
    await flagIt()
    expect((await dismiss()).status).toBe(204)
    later(1)
    await flagIt()
    expect(await flags()).toEqual([{ state: 'rejected' }])
    expect((await send('PATCH', `/api/forum/posts/${post_id}`, mia, { body: 'Liars and thieves!' })).status).toBe(200)
    later(1)
    for (const _ of ['first', 'again']) expect((await flagIt()).status).toBe(204)
    expect(await flags()).toEqual([{ state: 'open' }])
    const queue = (await get(app, '/api/forum/moderation/queue?limit=100', staff.authToken)).body
    const queued = queue.find(({ post }: { post: { post_id: string } }) => post.post_id === post_id)
    expect(queued).toMatchObject({ post: { body: 'Liars and thieves!' }, flags: [{ by: 'noah', state: 'open' }] })
    // A new decision settles the new flag.
    expect((await dismiss()).status).toBe(204)
    await flagIt()
    expect(await flags()).toEqual([{ state: 'rejected' }])
  })

  it('staff can correct title and tags of a topic, with an undo, and the author’s next change waits', async () => {
    await fresh()
    const { topic, post } = await newTopic(lena, { title: 'Rude words about the zugglotz', tags: ['rude'] })
    const own = `/api/forum/topics/${topic.topic_id}`
    const correct = (more: object) =>
      send('POST', `/api/forum/moderation/topics/${topic.topic_id}`, staff, { action: 'correct', ...more })
    expect(await send('PATCH', own, staff, { title: 'Kind words about it' })).toMatchObject({
      status: 403,
      body: { code: 'not_your_post' },
    })
    expect((await correct({})).body.fields).toHaveProperty('title')
    const shown = async () => (await get(app, own, lena.authToken)).body
    const found = async (word: string) => (await get(app, `/api/forum/search?q=${word}`)).body.length
    expect((await correct({ title: 'Kind words about the flurnix', tags: ['kind'] })).status).toBe(204)
    expect(await shown()).toMatchObject({ title: 'Kind words about the flurnix', tags: ['kind'], state: 'visible' })
    expect([await found('flurnix'), await found('zugglotz')]).toEqual([1, 0])
    const [entry] = (await get(app, '/api/admin/log?action=moderate-topic', staff.authToken)).body
    expect(entry).toMatchObject({
      object_name: 'Rude words about the zugglotz',
      before: { tags: ['rude'] },
      after: { what: 'topic_correct', title: 'Kind words about the flurnix' },
    })
    expect((await send('POST', `/api/admin/log/${entry.entry_id}/undo`, staff)).body.kept).toEqual([])
    expect(await shown()).toMatchObject({ title: 'Rude words about the zugglotz', tags: ['rude'] })
    expect([await found('flurnix'), await found('zugglotz')]).toEqual([0, 1])

    // The last correction must be undone first: the refusal names who made it.
    const undone = async (nth: number) => {
      const all = (await get(app, '/api/admin/log?action=moderate-topic', staff.authToken)).body
      return (await send('POST', `/api/admin/log/${all[nth].entry_id}/undo`, staff)).body
    }
    await correct({ title: 'Soft words about the zugglotz' })
    await correct({ tags: ['soft'] })
    expect(await undone(1)).toMatchObject({
      code: 'changed_later',
      error: expect.stringMatching(/^staff changed “.*” later, on \d\d\.\d\d\. at \d\d:\d\d\. Undo that first\.$/),
    })
    const correctedNow = () =>
      app.db
        .selectFrom('forum_topics')
        .select('is_corrected')
        .where('topic_id', '=', topic.topic_id)
        .executeTakeFirstOrThrow()
    expect(await undone(0)).toMatchObject({ kept: [] })
    expect(await shown()).toMatchObject({ title: 'Soft words about the zugglotz', tags: ['rude'] })
    expect(await correctedNow()).toEqual({ is_corrected: true })
    expect(await undone(1)).toMatchObject({ kept: [] })
    expect(await shown()).toMatchObject({ title: 'Rude words about the zugglotz', tags: ['rude'] })
    expect(await correctedNow()).toEqual({ is_corrected: false })
    await correct({ tags: ['rude'] })

    expect((await correct({ title: 'Kind words about the flurnix' })).status).toBe(204)
    expect((await send('PATCH', own, lena, { solved_number: 1 })).body.state).toBe('visible')
    expect((await send('PATCH', own, lena, { title: 'Rude words about the zugglotz' })).body.state).toBe('waiting')
    expect((await get(app, own)).status).toBe(404)
    const approve = () => send('POST', `/api/forum/moderation/posts/${post.post_id}`, staff, { action: 'approve' })
    expect((await approve()).status).toBe(204)
    expect((await send('PATCH', own, lena, { tags: ['rude'] })).body.state).toBe('waiting')
    expect((await approve()).status).toBe(204)
    expect(await shown()).toMatchObject({ title: 'Rude words about the zugglotz', state: 'visible' })
  })

  it('authors change title and tags only while their first post can be edited, other fields later too', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const own = `/api/forum/topics/${topic.topic_id}`
    expect((await send('PATCH', own, lena, { title: 'Another title', tags: ['other'] })).status).toBe(200)
    const { topic: answered, post: first } = await newTopic(mia)
    await newReply(lena, answered.topic_id, 'An answer that keeps the topic.')
    expect((await send('DELETE', `/api/forum/posts/${first.post_id}`, mia)).status).toBe(204)
    expect(await send('PATCH', `/api/forum/topics/${answered.topic_id}`, mia, { title: 'Too late' })).toMatchObject({
      status: 404,
      body: { code: 'post_not_found' },
    })
    await fresh(25 * 60)
    for (const late of [{ title: 'Too late for that' }, { tags: ['late'] }])
      expect(await send('PATCH', own, lena, late)).toMatchObject({ status: 403, body: { code: 'edit_time_over' } })
    expect((await send('PATCH', own, lena, { solved_number: 1 })).status).toBe(200)
  })

  it('staff without two-factor authentication read only what everybody reads', async () => {
    await fresh()
    const { topic, post } = await newTopic(mia, { body: 'First words' })
    const { topic: seen, post: visible } = await newTopic(mia, { body: 'Words to be edited away' })
    const edit = { action: 'edit', body: 'Words that may stay' }
    await send('POST', `/api/forum/moderation/posts/${visible.post_id}`, staff, edit)
    await send('POST', `/api/forum/moderation/topics/${topic.topic_id}`, staff, { action: 'hide' })
    const statuses = async () => {
      const answers = []
      for (const path of [
        `topics/${topic.topic_id}`,
        `topics/${topic.topic_id}/posts`,
        `posts/${post.post_id}`,
        `topics/${seen.topic_id}`,
      ])
        answers.push((await get(app, `/api/forum/${path}`, staff.authToken)).status)
      return answers
    }
    const history = async () =>
      (await get(app, `/api/forum/posts/${visible.post_id}/history`, staff.authToken)).body as unknown[]
    expect(await statuses()).toEqual([200, 200, 200, 200])
    expect(await history()).toHaveLength(1)
    await change(staff, { totp_secret: null })
    onTestFinished(() => change(staff, { totp_secret: Buffer.from('set') }))
    expect(await statuses()).toEqual([404, 404, 404, 200])
    expect(await history()).toEqual([])
  })

  it('a merge and an edit in the same topic do not deadlock', async () => {
    await fresh()
    const { topic: into } = await newTopic(lena)
    const { topic: from, post } = await newTopic(mia)
    const last = await newReply(noah, from.topic_id, 'A reply that moves along.')
    const merge = { action: 'merge', into: into.topic_id }
    let merging!: ReturnType<typeof send>
    // An edit locks the post first, then its topic.
    await app.db.transaction().execute(async (trx) => {
      await sql`select from forum_posts where post_id = ${last.post_id} for no key update`.execute(trx)
      merging = send('POST', `/api/forum/moderation/topics/${from.topic_id}`, staff, merge)
      await untilSomebodyWaits(app)
      await sql`select from forum_topics where topic_id = ${from.topic_id} for no key update`.execute(trx)
    })
    expect((await merging).status).toBe(204)

    for (let round = 0; round < 4; round++) {
      await fresh()
      const { topic, post: first } = await newTopic(mia)
      const { post_id } = await newReply(noah, topic.topic_id, `A reply of round ${round}`)
      const answers = await Promise.all([
        send('PATCH', `/api/forum/posts/${first.post_id}`, mia, { body: `Edited in round ${round}` }),
        send('POST', `/api/forum/moderation/topics/${topic.topic_id}`, staff, merge),
        send('PATCH', `/api/forum/posts/${post_id}`, noah, { body: `A better reply of round ${round}` }),
        send('PUT', `/api/forum/posts/${first.post_id}/like`, noah),
        send('PATCH', `/api/forum/topics/${topic.topic_id}`, mia, { title: `Title of round ${round}` }),
        send('PUT', `/api/forum/posts/${post.post_id}/like`, lena),
      ])
      const [edited, merged, ...others] = answers.map(({ status }) => status)
      expect([edited, merged, ...others.toSpliced(2, 1)]).toEqual([200, 204, 200, 204, 204])
      // The edit came before the merge or after it.
      expect(others[2]).toBeOneOf([200, 404])
    }
  })

  it('an edit and a like of the same author’s posts do not deadlock', async () => {
    await fresh()
    const { post } = await newTopic(mia)
    let liking!: ReturnType<typeof send>
    // An edit locks the author first, then the post.
    await app.db.transaction().execute(async (trx) => {
      await sql`select from forum_members where handle = 'mia' for no key update`.execute(trx)
      liking = send('PUT', `/api/forum/posts/${post.post_id}/like`, lena)
      await untilSomebodyWaits(app)
      await sql`select from forum_posts where post_id = ${post.post_id} for no key update`.execute(trx)
    })
    expect((await liking).status).toBe(204)
  })

  it('a post by staff is not hidden by flags alone', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const word = await newReply(staff, topic.topic_id, 'The bridge is closed tonight.')
    const others = [mia, noah, lena, await established('tilda')]
    await trusted(...others)
    for (const person of others)
      expect((await send('POST', `/api/forum/posts/${word.post_id}/flag`, person, { kind: 'other' })).status).toBe(204)
    expect((await get(app, `/api/forum/posts/${word.post_id}`)).body.state).toBe('visible')
    const queue = (await get(app, '/api/forum/moderation/queue?limit=100', staff.authToken)).body
    expect(queue.map(({ post }: { post: { post_id: string } }) => post.post_id)).toContain(word.post_id)
  })

  it('a silenced member can read but not write, until the silence is lifted or runs out', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const path = '/api/forum/moderation/members/noah'
    const bars = async () => (await get(app, path, staff.authToken)).body
    expect(await bars()).toEqual({ silenced_until: null, banned_until: null })
    expect((await send('POST', path, staff, { action: 'silence', hours: 2, reason: 'Cool down' })).status).toBe(204)
    expect(await bars()).toEqual({ silenced_until: expect.any(String), banned_until: null })
    expect(await reply(noah, topic.topic_id, 'But I was right!')).toMatchObject({
      status: 403,
      body: { code: 'silenced' },
    })
    await fresh(121)
    await newReply(noah, topic.topic_id, 'Calm again.')
    expect(await bars()).toEqual({ silenced_until: null, banned_until: null })
    expect((await send('POST', path, staff, { action: 'ban', reason: 'Again' })).status).toBe(204)
    await fresh()
    expect(await reply(noah, topic.topic_id, 'Hello?')).toMatchObject({ status: 403, body: { code: 'banned' } })
    expect((await send('POST', path, staff, { action: 'unban' })).status).toBe(204)
    await newReply(noah, topic.topic_id, 'Thank you.')
    expect(
      await send('POST', '/api/forum/moderation/members/staff', staff, { action: 'ban', reason: 'Oops' }),
    ).toMatchObject({
      status: expect.toBeOneOf([403, 404]),
    })
  })

  it('each decision is one entry in the log of staff, once per key, and can be undone there', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    const rude = await newReply(lena, topic.topic_id, 'Something rude about cheese.')
    await send('POST', `/api/forum/posts/${rude.post_id}/flag`, noah, { kind: 'offensive' })
    const asStaff = { authorization: `Bearer ${staff.authToken}`, 'content-type': 'application/json' }
    const decide = async (path: string, body: object, key: string) => {
      const headers = { ...asStaff, 'idempotency-key': key }
      const ask = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await api(app, `/api/forum/moderation/${path}`, ask)).status
    }
    interface Entry {
      entry_id: string
      action: string
      object_name: string
      reason: string | null
      can_undo: boolean
    }
    const entries = async (action: string) =>
      (await get(app, `/api/admin/log?limit=100&action=${action}`, staff.authToken)).body as Entry[]
    const takeBack = async (action: string) => {
      const [entry] = await entries(action)
      expect(entry!.can_undo).toBe(true)
      return (await send('POST', `/api/admin/log/${entry!.entry_id}/undo`, staff)).body.kept as string[]
    }
    const stateOf = async () => (await get(app, `/api/forum/posts/${rude.post_id}`, lena.authToken)).body.state
    const before = (await entries('moderate-post')).length

    const hide = { action: 'hide', reason: 'Rude' }
    expect(await decide(`posts/${rude.post_id}`, hide, 'hide-once')).toBe(204)
    expect(await decide(`posts/${rude.post_id}`, hide, 'hide-once')).toBe(204)
    expect(await decide(`posts/${rude.post_id}`, { action: 'restore' }, 'hide-once')).toBe(409)
    const [entry, ...older] = await entries('moderate-post')
    expect(entry).toMatchObject({ object_name: `${topic.title} #2`, reason: 'Rude' })
    expect(older).toHaveLength(before)
    expect(await stateOf()).toBe('hidden')
    expect(await takeBack('moderate-post')).toEqual([])
    expect(await stateOf()).toBe('visible')
    const queue = (await get(app, '/api/forum/moderation/queue?limit=100', staff.authToken)).body
    expect(queue.map(({ post }: { post: { post_id: string } }) => post.post_id)).toContain(rude.post_id)

    const edit = { action: 'edit', body: 'Something kind about cheese.' }
    expect(await decide(`posts/${rude.post_id}`, edit, 'edit-once')).toBe(204)
    expect(await takeBack('moderate-post')).toEqual([])
    expect((await get(app, `/api/forum/posts/${rude.post_id}`)).body.body).toBe('Something rude about cheese.')

    // A later decision stays.
    expect(await decide(`posts/${rude.post_id}`, hide, 'hide-again')).toBe(204)
    const [hidden] = await entries('moderate-post')
    expect(await decide(`posts/${rude.post_id}`, { action: 'restore' }, 'restore')).toBe(204)
    expect((await send('POST', `/api/admin/log/${hidden!.entry_id}/undo`, staff)).body.code).toBe('changed_later')

    expect(await decide(`topics/${topic.topic_id}`, { action: 'lock' }, 'lock-once')).toBe(204)
    expect(await takeBack('moderate-topic')).toEqual([])
    expect((await get(app, `/api/forum/topics/${topic.topic_id}`)).body.is_locked).toBe(false)

    expect(await decide('members/lena', { action: 'ban', reason: 'Rude' }, 'ban-once')).toBe(204)
    expect((await reply(lena, topic.topic_id, 'Am I banned?')).body.code).toBe('banned')
    expect(await takeBack('moderate-member')).toEqual([])
    await newReply(lena, topic.topic_id, 'I am not.')
  })

  /** Undoes decisions about one thing, which the log lists newest first. */
  async function undoing(action: string) {
    const known = (await get(app, `/api/admin/log?action=${action}&limit=1`, staff.authToken)).body[0]?.entry_id
    return {
      decide: async (path: string, body: object) =>
        expect((await send('POST', `/api/forum/moderation/${path}`, staff, body)).status).toBe(204),
      /** Those made since, newest first. */
      entries: async () => {
        const list = (await get(app, `/api/admin/log?action=${action}`, staff.authToken)).body as { entry_id: string }[]
        const ids = list.map(({ entry_id }) => entry_id)
        return known === undefined ? ids : ids.slice(0, ids.indexOf(known))
      },
      undo: async (id: string) => (await send('POST', `/api/admin/log/${id}/undo`, staff)).body,
    }
  }

  it('an undo keeps a later decision, even if both decided the same', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    const rude = await newReply(lena, topic.topic_id, 'Something rude about cows.')
    const bans = async () =>
      (await app.db.selectFrom('forum_members').select('banned_until').where('handle', '=', 'noah').execute())[0]
        ?.banned_until
    const isTopic = async (field: string) => (await get(app, `/api/forum/topics/${topic.topic_id}`)).body[field]
    const statusOf = async (path: string) => (await get(app, path)).status
    const hide = (reason: string) => ({ action: 'hide', reason })
    const ban = (reason: string) => ({ action: 'ban', reason })
    const cases = [
      {
        action: 'moderate-post',
        path: `posts/${rude.post_id}`,
        decisions: [hide('Rude'), { action: 'restore' }, hide('The police asked for it')],
        isStill: async () => (await statusOf(`/api/forum/posts/${rude.post_id}`)) === 404,
      },
      {
        action: 'moderate-member',
        path: 'members/noah',
        decisions: [ban('First'), { action: 'unban' }, ban('Second')],
        isStill: async () => (await bans()) !== null,
      },
      {
        action: 'moderate-topic',
        path: `topics/${topic.topic_id}`,
        decisions: ['lock', 'unlock', 'lock'].map((action) => ({ action })),
        isStill: () => isTopic('is_locked'),
      },
      {
        action: 'moderate-topic',
        path: `topics/${topic.topic_id}`,
        decisions: ['All about cows', 'All about cheese', 'All about cows'].map((title) => ({
          action: 'correct',
          title,
        })),
        isStill: async () => (await isTopic('title')) === 'All about cows',
      },
      {
        action: 'moderate-topic',
        path: `topics/${topic.topic_id}`,
        decisions: ['hide', 'restore', 'hide'].map((action) => ({ action })),
        isStill: async () => (await statusOf(`/api/forum/topics/${topic.topic_id}`)) === 404,
      },
    ]
    for (const { action, path, decisions, isStill } of cases) {
      const { decide, entries, undo } = await undoing(action)
      for (const decision of decisions) await decide(path, decision)
      const [newest, , oldest] = await entries()
      expect((await undo(oldest!)).code, path).toBe('changed_later')
      expect(await isStill(), path).toBe(true)
      expect((await undo(newest!)).kept, path).toEqual([])
      expect(await isStill(), path).toBe(false)
    }
    await send('POST', `/api/forum/moderation/topics/${topic.topic_id}`, staff, { action: 'restore' })
  })

  it('a hidden post that is hidden again stays hidden when the first decision is undone', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    const rude = await newReply(lena, topic.topic_id, 'Something rude about trams.')
    const { decide, entries, undo } = await undoing('moderate-post')
    await decide(`posts/${rude.post_id}`, { action: 'hide', reason: 'Rude' })
    await decide(`posts/${rude.post_id}`, { action: 'hide', reason: 'The police asked for it' })
    const [, first] = await entries()
    expect((await undo(first!)).code).toBe('changed_later')
  })

  it('an edit by a moderator can be undone once all later decisions are undone, the last one first', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    const said = await newReply(lena, topic.topic_id, 'The number of that man is 061.')
    const { decide, entries, undo } = await undoing('moderate-post')
    await decide(`posts/${said.post_id}`, { action: 'edit', body: 'No numbers, please.' })
    await decide(`posts/${said.post_id}`, { action: 'hide', reason: 'Rude' })
    await decide(`posts/${said.post_id}`, { action: 'restore' })
    const [restored, hidden, edited] = await entries()
    expect((await undo(edited!)).code).toBe('changed_later')
    for (const entry of [restored, hidden, edited]) expect((await undo(entry!)).kept).toEqual([])
    const { body } = await get(app, `/api/forum/posts/${said.post_id}`)
    expect(body).toMatchObject({ state: 'visible', body: 'The number of that man is 061.' })
  })

  it('an undo about the first post of a merged topic does not change the other topic', async () => {
    await fresh()
    const { topic: into } = await newTopic(lena)
    await newReply(mia, into.topic_id, 'A good answer in the big topic.')
    const merge = { action: 'merge', into: into.topic_id }
    const isThere = async () => (await get(app, `/api/forum/topics/${into.topic_id}`)).status === 200

    const { topic, post } = await newTopic(noah)
    const hidden = await undoing('moderate-post')
    await hidden.decide(`posts/${post.post_id}`, { action: 'hide', reason: 'Rude' })
    await hidden.decide(`posts/${post.post_id}`, { action: 'restore' })
    const [restored] = await hidden.entries()
    await hidden.decide(`topics/${topic.topic_id}`, merge)
    expect((await hidden.undo(restored!)).kept).toEqual([])
    expect((await get(app, `/api/forum/posts/${post.post_id}`, noah.authToken)).body.state).toBe('hidden')
    expect(await isThere()).toBe(true)

    const nina = await newcomer('nina')
    const { topic: waits, post: first } = await newTopic(nina, { body: 'See https://lanterns.example for it' })
    expect(first.state).toBe('waiting')
    const approved = await undoing('moderate-post')
    await approved.decide(`posts/${first.post_id}`, { action: 'approve' })
    const [approval] = await approved.entries()
    await approved.decide(`topics/${waits.topic_id}`, merge)
    expect((await approved.undo(approval!)).kept).toEqual([])
    expect(await isThere()).toBe(true)
  })

  it('earlier texts that staff edited or never approved are visible to staff alone, and an edit after theirs waits', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    const decide = (postId: string, body: object) => send('POST', `/api/forum/moderation/posts/${postId}`, staff, body)
    const history = async (postId: string, person?: Person) =>
      (await get(app, `/api/forum/posts/${postId}/history`, person?.authToken)).body.map(
        ({ body }: { body: string }) => body,
      )
    const { post_id } = await newReply(noah, topic.topic_id, 'The number of the rude man is 061.')
    const edit = (body: string) => send('PATCH', `/api/forum/posts/${post_id}`, noah, { body })
    expect((await edit('The number of that rude man is 061.')).body.state).toBe('visible')
    expect(await history(post_id)).toEqual(['The number of the rude man is 061.'])
    later(1)
    expect((await decide(post_id, { action: 'edit', body: 'The number is known.' })).status).toBe(204)
    expect(await history(post_id)).toEqual([])
    expect(await history(post_id, lena)).toEqual([])
    expect(await history(post_id, staff)).toEqual([
      'The number of that rude man is 061.',
      'The number of the rude man is 061.',
    ])
    later(1)
    expect((await edit('The number is 061.')).body.state).toBe('waiting')
    expect((await get(app, `/api/forum/posts/${post_id}`)).status).toBe(404)
    // Texts written while the post waits were never public.
    later(1)
    expect((await edit('The number is 061 or so.')).body.state).toBe('waiting')
    later(1)
    expect((await edit('The number is in the book.')).body.state).toBe('waiting')
    expect((await decide(post_id, { action: 'approve' })).status).toBe(204)
    expect(await history(post_id)).toEqual(['The number is known.'])
    expect(await history(post_id, staff)).toHaveLength(5)
  })

  it('a text that its author has changed is not decided about, and no undo or appeal brings it back', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    const changer = await newcomer('changer')
    const { post_id } = await newReply(changer, topic.topic_id, 'See https://choir.example tonight')
    const own = `/api/forum/posts/${post_id}`
    const decide = (body: object) => send('POST', `/api/forum/moderation/posts/${post_id}`, staff, body)
    const edit = async (body: string) => {
      later(1)
      expect((await send('PATCH', own, changer, { body })).status).toBe(200)
    }
    const stateOf = async () => (await get(app, own, changer.authToken)).body.state
    const queued = async (): Promise<{ edited_at: string | null }> =>
      (await get(app, '/api/forum/moderation/queue?limit=100', staff.authToken)).body.find(
        ({ post }: { post: { post_id: string } }) => post.post_id === post_id,
      ).post
    const { edited_at: first } = await queued()
    await edit('See https://lanterns.example tonight')
    expect(await decide({ action: 'approve', seen: first })).toMatchObject({
      status: 409,
      body: { code: 'post_changed', error: 'This post was changed meanwhile. Please look at it again.' },
    })
    expect(await stateOf()).toBe('waiting')
    expect((await decide({ action: 'approve', seen: (await queued()).edited_at })).status).toBe(204)
    expect(await stateOf()).toBe('visible')

    expect((await decide({ action: 'hide', reason: 'Advertising' })).status).toBe(204)
    await edit('Even more at https://lanterns.example tonight')
    const [hidden] = (await get(app, '/api/admin/log?action=moderate-post', staff.authToken)).body
    const undone = await send('POST', `/api/admin/log/${hidden.entry_id}/undo`, staff)
    expect(undone.body.code).toBe('nothing_to_undo')
    expect(await stateOf()).toBe('hidden')
    expect((await send('POST', '/api/forum/appeals', changer, { post_id, text: 'It is a choir.' })).status).toBe(204)
    const [appeal] = (await get(app, '/api/forum/moderation/appeals', staff.authToken)).body
    const path = `/api/forum/moderation/appeals/${appeal.action_id}`
    expect((await send('POST', path, staff, { decision: 'overturned' })).status).toBe(204)
    expect(await stateOf()).toBe('waiting')
  })

  it('a title that its author has changed is not approved either', async () => {
    await fresh()
    const author = await newcomer('retitler')
    const { topic, post } = await newTopic(author, { body: 'All about https://choir.example tonight' })
    later(1)
    const title = 'Lanterns for everybody'
    expect((await send('PATCH', `/api/forum/topics/${topic.topic_id}`, author, { title })).status).toBe(200)
    const approve = { action: 'approve', seen: null }
    expect((await send('POST', `/api/forum/moderation/posts/${post.post_id}`, staff, approve)).status).toBe(409)
  })

  it('a newcomer’s edit waits when it adds a new link', async () => {
    await fresh()
    const { topic } = await newTopic(mia)
    const linker = await newcomer('linker')
    const { post_id } = await newReply(linker, topic.topic_id, 'See https://tram.example for the last tram')
    await send('POST', `/api/forum/moderation/posts/${post_id}`, staff, { action: 'approve' })
    const edit = (body: string) => send('PATCH', `/api/forum/posts/${post_id}`, linker, { body })
    expect((await edit('See https://tram.example for the very last tram')).body.state).toBe('visible')
    expect((await edit('See https://lanterns.example for the very last tram')).body.state).toBe('waiting')
  })

  it('the posts of a merged topic keep their order, and links to them lead on', async () => {
    await fresh()
    const { topic: into } = await newTopic(lena, { title: 'The queue, all of it' })
    await newReply(mia, into.topic_id, 'A reply that was here before.')
    const { topic: from } = await newTopic(noah, { title: 'The queue, once more' })
    await newReply(mia, from.topic_id, 'A reply that moves.', { reply_to: 1 })
    const merge = { action: 'merge', into: into.topic_id }
    expect((await send('POST', `/api/forum/moderation/topics/${from.topic_id}`, staff, merge)).status).toBe(204)
    const { body } = await get(app, `/api/forum/topics/${into.topic_id}/posts`)
    expect(
      body.map((post: { post_number: number; reply_to: number | null }) => [post.post_number, post.reply_to]),
    ).toEqual([
      [1, null],
      [2, null],
      [3, null],
      [4, 3],
    ])
    expect((await get(app, `/api/forum/topics/${from.topic_id}`)).body).toMatchObject({
      topic_id: into.topic_id,
      last_number: 4,
      merged: { from: from.topic_id, by_number: 2 },
    })
    expect(
      (
        await send('POST', `/api/forum/moderation/topics/${into.topic_id}`, staff, {
          action: 'move',
          category: 'meet-ups',
        })
      ).status,
    ).toBe(204)
    expect((await get(app, `/api/forum/topics/${into.topic_id}`)).body.category).toBe('meet-ups')
  })
})

describe('a spam attack', () => {
  it('by newcomers is stopped by the queue, the pace and the limits of the first day', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const spammers = []
    for (let number = 0; number < 6; number++) spammers.push(await newcomer(`spam${number}`))
    // A first post with a link waits, and only its author sees it.
    const first = await newReply(spammers[0]!, topic.topic_id, 'Cheap lanterns at https://lanterns.example today')
    expect(first.state).toBe('waiting')
    expect((await get(app, `/api/forum/posts/${first.post_id}`)).status).toBe(404)
    expect((await get(app, `/api/forum/posts/${first.post_id}`, spammers[0]!.authToken)).status).toBe(200)
    // A text that others just sent waits too, and one with banned words, also in look-alike letters.
    const same = []
    for (const spammer of spammers.slice(1, 5))
      same.push((await newReply(spammer, topic.topic_id, 'Lanterns! Lanterns!')).state)
    expect(same).toEqual(['visible', 'visible', 'waiting', 'waiting'])
    expect((await newReply(spammers[5]!, topic.topic_id, 'Best C4S1N0 in town')).state).toBe('waiting')
    // A harmless post or title that is edited to such a text waits too.
    const decent = await newcomer('decent')
    const { post_id } = await newReply(decent, topic.topic_id, 'Thank you for this hint')
    const isSeen = async (path: string) => (await get(app, path)).status === 200
    expect(await isSeen(`/api/forum/posts/${post_id}`)).toBe(true)
    const edit = (body: string) => send('PATCH', `/api/forum/posts/${post_id}`, decent, { body })
    expect((await edit('Thank you for that hint')).body.state).toBe('visible')
    expect((await edit('Thank you, see https://lanterns.example')).body.state).toBe('waiting')
    expect(await isSeen(`/api/forum/posts/${post_id}`)).toBe(false)
    const titled = await newcomer('titled')
    const own = `/api/forum/topics/${(await newTopic(titled)).topic.topic_id}`
    expect(await isSeen(own)).toBe(true)
    expect((await send('PATCH', own, titled, { title: 'Best C4S1N0 in town' })).status).toBe(200)
    expect(await isSeen(own)).toBe(false)
    expect((await get(app, own, titled.authToken)).body.state).toBe('waiting')
    // No list contains the post, but its author can open it.
    const waiting = async (person: Person) => (await get(app, '/api/forum/mine', person.authToken)).body.waiting
    expect(await waiting(titled)).toMatchObject([{ post_number: 1, title: 'Best C4S1N0 in town' }])
    expect(await waiting(decent)).toMatchObject([{ topic_id: topic.topic_id, title: topic.title }])
    expect(await waiting(lena)).toEqual([])
    // At most two links and two mentions.
    const links = await reply(spammers[5]!, topic.topic_id, 'https://a.example https://b.example https://c.example')
    expect(links.body.fields.body).toBe('New members can use 2 links in a post at most.')
    expect((await reply(spammers[5]!, topic.topic_id, '@lena @mia @noah look')).body.fields.body).toMatch(
      /mention 2 people/,
    )
    // the pace: five at once, then one every 30 seconds
    const answers = []
    for (let number = 0; number < 7; number++)
      answers.push(await reply(spammers[1]!, topic.topic_id, `Flood ${number}`))
    const [refused] = answers.filter(({ status }) => status === 429)
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 429, 429, 429])
    expect(refused!.body.error).toBe('You are posting too fast. Try again in 30 seconds.')
    expect(refused!.headers.get('retry-after')).toBe('30')
    // ten replies on the first day
    const statuses = []
    for (let number = 0; number < 6; number++) {
      later(1)
      statuses.push((await reply(spammers[1]!, topic.topic_id, `Slow flood ${number}`)).status)
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
    // An approved post is a post like any other.
    await fresh()
    expect(
      (await send('POST', `/api/forum/moderation/posts/${first.post_id}`, staff, { action: 'approve' })).status,
    ).toBe(204)
    expect((await get(app, `/api/forum/posts/${first.post_id}`)).body).toMatchObject({ state: 'visible' })
  })
})

it('a spam attack of 100 new accounts is contained by the rules alone: two of their 400 posts are seen', async () => {
  await fresh()
  const { topic } = await newTopic(lena)
  const accounts = Array.from({ length: 100 }, newId)
  await app.db
    .insertInto('accounts')
    .values(
      accounts.map((account_id, n) => ({
        account_id,
        kind: 'user' as const,
        role: 'user',
        language: 'en',
        email: `attack${n}@example.org`,
        email_folded: `attack${n}@example.org`,
        display_name: `Attack ${n}`,
        created_at: new Date('2026-06-19T12:00:00Z'),
      })),
    )
    .execute()
  const room = house.of(forum)
  const counts: Record<string, number> = {}
  const tried = async (work: Promise<{ state: string }>) => {
    const became = await work.then(
      ({ state }) => state,
      (refused: { kind?: { code: string } }) => refused.kind?.code ?? String(refused),
    )
    counts[became] = (counts[became] ?? 0) + 1
  }
  const promise = (n: number) => `Cheap lanterns, as bright as day, at https://lanterns-${n}.example`
  for (const [n, accountId] of accounts.entries()) {
    const who = { accountId, role: 'user', businessId: null, sessionId: newId(), verified: false, mustVerify: false }
    const writer = { who: { ...who, lacksSecondFactor: false }, locale: 'en', key: null } as const
    const say = (body: string) => tried(createPost(room, writer, topic.topic_id, { body }))
    const open = (title: string) =>
      tried(createTopic(room, writer, { category: 'help', title, body: promise(n) }).then(({ post }) => post))
    await open(`Lanterns for everybody, offer ${n}`)
    await say(`Number ${n} is https://lanterns.example`)
    await say(`Best c4s1n0 of the river, table ${n}`)
    await say('Call Lux now and win a lantern for your balcony')
  }
  expect(counts).toEqual({ waiting: 398, visible: 2 })
  const { body } = await get(app, `/api/forum/topics/${topic.topic_id}/posts`)
  expect(body.filter(({ state }: { state: string }) => state === 'visible')).toHaveLength(3)
})
