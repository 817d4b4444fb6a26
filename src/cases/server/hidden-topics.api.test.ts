import { beforeAll, describe, expect, it } from 'vitest'
import { forumTown } from '../../../test/forum-people.ts'
import { get, type Person } from '../../../test/people.ts'
import type { TestApp } from '../../../test/start-app.ts'

const { town, later, fresh, newcomer, send, newTopic, newReply } = forumTown()
let app: TestApp
let lena: Person
let mia: Person
let staff: Person
beforeAll(() => {
  ;({ app, lena, mia, staff } = town)
})

describe('hidden topics', () => {
  it('a topic that a moderator hid cannot be edited and stays hidden, whatever is decided about its first post', async () => {
    await fresh()
    const onTopic = (topicId: string, action: string) =>
      send('POST', `/api/forum/moderation/topics/${topicId}`, staff, { action })
    const onPost = (postId: string, body: object) => send('POST', `/api/forum/moderation/posts/${postId}`, staff, body)
    const stateOf = async (topicId: string) =>
      (await get(app, `/api/forum/topics/${topicId}`, staff.authToken)).body.state
    const author = await newcomer('hidden-author')
    const { topic, post } = await newTopic(author)
    const { post_id } = await newReply(author, topic.topic_id, 'A reply of mine')
    expect((await onTopic(topic.topic_id, 'hide')).status).toBe(204)
    for (const id of [post.post_id, post_id])
      expect(await send('PATCH', `/api/forum/posts/${id}`, author, { body: 'Best C4S1N0 in town' })).toMatchObject({
        status: 404,
        body: { code: 'post_not_found' },
      })
    expect(await stateOf(topic.topic_id)).toBe('hidden')
    const hide = { action: 'hide', reason: 'Rude' }
    expect((await onPost(post.post_id, hide)).status).toBe(204)
    expect((await onPost(post.post_id, { action: 'restore' })).status).toBe(204)
    expect(await stateOf(topic.topic_id)).toBe('hidden')
    expect((await onTopic(topic.topic_id, 'restore')).status).toBe(204)
    expect(await stateOf(topic.topic_id)).toBe('visible')

    // A first post that waited is approved: its topic stays hidden until it is restored.
    const linker = await newcomer('hidden-linker')
    const { topic: waiting, post: first } = await newTopic(linker, { body: 'All of it at https://choir.example' })
    expect(first.state).toBe('waiting')
    expect((await onTopic(waiting.topic_id, 'hide')).status).toBe(204)
    expect((await onTopic(waiting.topic_id, 'restore')).status).toBe(204)
    expect(await stateOf(waiting.topic_id)).toBe('waiting')
    expect((await onTopic(waiting.topic_id, 'hide')).status).toBe(204)
    expect((await onPost(first.post_id, { action: 'approve' })).status).toBe(204)
    expect(await stateOf(waiting.topic_id)).toBe('hidden')
    const [entry] = (await get(app, '/api/admin/log?action=moderate-topic', staff.authToken)).body
    // The topic waited with its first post, which has been decided since.
    const undone = await send('POST', `/api/admin/log/${entry.entry_id}/undo`, staff)
    expect(undone.body.code).toBe('nothing_to_undo')
    expect((await onTopic(waiting.topic_id, 'restore')).status).toBe(204)
    expect(await stateOf(waiting.topic_id)).toBe('visible')
  })

  it('the author of a rejected topic reads why and can appeal; nobody else sees the topic', async () => {
    await fresh()
    const author = await newcomer('rejected-author')
    const { topic, post } = await newTopic(author, { body: 'All about it at https://choir.example' })
    const decide = (body: object) => send('POST', `/api/forum/moderation/posts/${post.post_id}`, staff, body)
    expect((await decide({ action: 'reject', reason: 'Advertising' })).status).toBe(204)
    const path = `/api/forum/topics/${topic.topic_id}`
    const own = async (more = '') => get(app, path + more, author.authToken)
    expect(await own()).toMatchObject({ status: 200, body: { state: 'hidden' } })
    const said = { post_id: post.post_id, state: 'rejected', reason: 'Advertising' }
    expect((await own('/posts')).body).toMatchObject([said])
    expect((await own('/mine')).body.unseen).toMatchObject([said])
    expect((await get(app, `/api/forum/posts/${post.post_id}`, author.authToken)).body).toMatchObject(said)
    const waiting = async () => (await get(app, '/api/forum/mine', author.authToken)).body.waiting
    expect(await waiting()).toEqual([
      { topic_id: topic.topic_id, post_number: 1, title: topic.title, state: 'rejected' },
    ])
    for (const token of [undefined, lena.authToken])
      for (const each of [path, `${path}/posts`, `/api/forum/posts/${post.post_id}`])
        expect((await get(app, each, token)).status).toBe(404)
    const appeal = { post_id: post.post_id, text: 'It is a choir.' }
    expect((await send('POST', '/api/forum/appeals', author, appeal)).status).toBe(204)
    const appeals = (await get(app, '/api/forum/moderation/appeals', staff.authToken)).body
    const { action_id } = appeals.find((one: { appeal: string }) => one.appeal === appeal.text)
    const right = { decision: 'overturned' }
    expect((await send('POST', `/api/forum/moderation/appeals/${action_id}`, staff, right)).status).toBe(204)
    expect((await get(app, path)).status).toBe(200)

    // A topic that a moderator hid disappears for its author too.
    const hide = { action: 'hide' }
    expect((await send('POST', `/api/forum/moderation/topics/${topic.topic_id}`, staff, hide)).status).toBe(204)
    expect((await own()).status).toBe(404)
    expect(await waiting()).toEqual([])
  })

  it('a waiting topic stays in the queue after its author deletes the first post', async () => {
    const queued = async (postId: string) =>
      (await get(app, '/api/forum/moderation/queue?limit=100', staff.authToken)).body.find(
        (one: { post: { post_id: string } }) => one.post.post_id === postId,
      )
    const decide = (topicId: string, action: string) =>
      send('POST', `/api/forum/moderation/topics/${topicId}`, staff, { action })
    await fresh()
    const author = await newcomer('leaving-author')
    const { topic, post } = await newTopic(author, { title: 'What do the boats cost?' })
    await newReply(mia, topic.topic_id, 'Two francs and more.')
    const seen = async () => (await get(app, `/api/forum/topics/${topic.topic_id}`)).status
    expect(await decide(topic.topic_id, 'restore')).toMatchObject({ status: 409 })
    await send('PATCH', `/api/forum/posts/${post.post_id}`, author, { body: 'Best C4S1N0 in town' })
    expect(await seen()).toBe(404)
    expect((await send('DELETE', `/api/forum/posts/${post.post_id}`, author)).status).toBe(204)
    expect(await queued(post.post_id)).toMatchObject({ title: topic.title, post: { state: 'deleted', body: '' } })
    expect(await seen()).toBe(404)
    expect((await decide(topic.topic_id, 'restore')).status).toBe(204)
    expect(await seen()).toBe(200)
    expect(await queued(post.post_id)).toBeUndefined()
    const [entry] = (await get(app, '/api/admin/log?action=moderate-topic', staff.authToken)).body
    expect((await send('POST', `/api/admin/log/${entry.entry_id}/undo`, staff)).status).toBe(200)
    expect(await queued(post.post_id)).toBeDefined()
    expect((await decide(topic.topic_id, 'hide')).status).toBe(204)
    expect(await queued(post.post_id)).toBeUndefined()
  })

  it('a topic that was hidden together with its first post comes back with it', async () => {
    await fresh()
    const { topic, post } = await newTopic(mia)
    const own = `/api/forum/posts/${post.post_id}`
    const decide = (body: object) => send('POST', `/api/forum/moderation/posts/${post.post_id}`, staff, body)
    const stateOf = async () => (await get(app, `/api/forum/topics/${topic.topic_id}`, staff.authToken)).body.state
    const undoLatest = async () => {
      const [entry] = (await get(app, '/api/admin/log?action=moderate-post', staff.authToken)).body
      expect((await send('POST', `/api/admin/log/${entry.entry_id}/undo`, staff)).status).toBe(200)
    }
    const hide = { action: 'hide', reason: 'Rude' }
    expect((await decide(hide)).status).toBe(204)
    expect(await stateOf()).toBe('hidden')
    await undoLatest()
    expect(await stateOf()).toBe('visible')
    await decide(hide)
    await decide({ action: 'restore' })
    expect(await stateOf()).toBe('visible')
    await undoLatest()
    expect(await stateOf()).toBe('hidden')
    later(1)
    expect((await send('PATCH', own, mia, { body: 'Kinder words about it.' })).status).toBe(200)
    const appeal = { post_id: post.post_id, text: 'It is kinder now.' }
    expect((await send('POST', '/api/forum/appeals', mia, appeal)).status).toBe(204)
    const appeals = (await get(app, '/api/forum/moderation/appeals', staff.authToken)).body
    const { action_id } = appeals.find((one: { appeal: string }) => one.appeal === 'It is kinder now.')
    const path = `/api/forum/moderation/appeals/${action_id}`
    expect((await send('POST', path, staff, { decision: 'overturned' })).status).toBe(204)
    expect(await stateOf()).toBe('waiting')
    expect((await decide({ action: 'approve' })).status).toBe(204)
    expect(await stateOf()).toBe('visible')
  })

  it('nobody can like or flag a post of a hidden topic', async () => {
    await fresh()
    const { topic, post } = await newTopic(mia)
    await send('POST', `/api/forum/moderation/topics/${topic.topic_id}`, staff, { action: 'hide' })
    const path = `/api/forum/posts/${post.post_id}`
    const notFound = { status: 404, body: { code: 'post_not_found' } }
    expect(await send('PUT', `${path}/like`, lena)).toMatchObject(notFound)
    expect(await send('POST', `${path}/flag`, lena, { kind: 'spam' })).toMatchObject(notFound)
  })
})
