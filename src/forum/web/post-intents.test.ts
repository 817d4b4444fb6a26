import { expect, it } from 'vitest'
import { StoredHere } from '../../../test/stored-here.ts'
import { openCopies } from '../../kit/browser/copies.ts'
import { openOutbox } from '../../kit/browser/outbox.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { openPosts, type UnsentPost } from './post-intents.ts'

const post = (body: string, topic_id: string | null = 'topic-1'): UnsentPost => ({
  topic_id,
  title: 'Rain coats',
  body,
  input: {},
})

function aPage(owner: string | null = 'user-lena') {
  const device = {
    storage: () => stored,
    unstored: new Map<string, string>(),
    now: () => 1000,
    locks: () => undefined,
    onStorage: () => {},
  }
  const stored = StoredHere.of()
  const outbox = openOutbox(device, openCopies(device))
  const sent: string[] = []
  const answers: (RefusedAnswer | null)[] = []
  const restored: string[] = []
  const posts = openPosts(
    outbox,
    async (key, { body }) => (sent.push(`${key} ${body}`), answers.shift() ?? null),
    () => owner,
    ({ body }) => void restored.push(body),
  )
  return { outbox, posts, sent, answers, restored }
}

it('posts are sent in the order in which they were written, each with the key of its draft', async () => {
  const { posts, sent } = aPage()
  posts.add('key-1', post('First.'))
  posts.add('key-2', post('A topic.', null))
  posts.add('key-3', post('Second.'))
  expect(posts.waiting('topic-1').map(({ data }) => data.body)).toEqual(['First.', 'Second.'])
  expect(posts.waiting(null).map(({ data }) => data.body)).toEqual(['A topic.'])
  await posts.send()
  expect(sent).toEqual(['key-1 First.', 'key-2 A topic.', 'key-3 Second.'])
  expect(posts.waiting('topic-1')).toEqual([])
})

it('a post that cannot be sent yet waits with its key; one that was discarded is not sent', async () => {
  const { posts, sent, answers } = aPage()
  posts.add('key-1', post('First.'))
  posts.add('key-2', post('Second.'))
  answers.push({ status: 0, code: 'offline', error: '' })
  await posts.send()
  posts.remove(posts.waiting('topic-1')[1]!)
  await posts.send()
  expect(sent).toEqual(['key-1 First.', 'key-1 First.'])
})

it('a refused post is reported with its text, which becomes the draft again', async () => {
  const { outbox, posts, answers, restored } = aPage()
  posts.add('key-1', post('First.'))
  answers.push({ status: 409, code: 'topic_locked', error: 'This topic is closed.' })
  await posts.send()
  const [refused] = outbox.of('posts')
  expect(posts.intents.words(refused as never)).toEqual({
    key: 'post',
    values: { title: 'Rain coats' },
    text: 'First.',
  })
  expect([refused!.refused, restored]).toEqual([{ code: 'topic_locked', error: 'This topic is closed.' }, ['First.']])
})

it('a guest posts nothing', async () => {
  const { outbox, posts, sent } = aPage(null)
  posts.add('key-1', post('First.'))
  await posts.send()
  expect([outbox.all(), sent]).toEqual([[], []])
})
