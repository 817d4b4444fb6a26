import type { Sql } from '../../kit/server/database.ts'
import { insertRows, stableId } from '../../kit/server/demo-rows.ts'
import { slugOf } from '../../kit/shared/slug.ts'
import { fillDocs, type DemoPostRow } from '../server/store/demo.ts'
import { readMarkdown } from '../../kit/server/markdown.ts'
import { hashOf } from '../server/writing.ts'
import { demoPeople, type DemoPerson, type DemoPersonKey } from './people.ts'
import { demoTopics, type DemoTopic } from './topics.ts'

const memberId = (key: DemoPersonKey) => stableId(`forum member ${key}`)
const topicId = (topic: DemoTopic) => stableId(`forum topic ${topic.title}`)

/** Fills the conversations of `topics.ts` in, as seen from `now`: the newest are minutes old, the oldest weeks. */
export async function fillDemoForum(trx: Sql, { now }: { now: Temporal.Instant }): Promise<void> {
  const topics = demoTopics.map((topic, index) => withTimes(topic, index, now))
  const posts = topics.flatMap(({ posts }) => posts)
  await insertRows(trx, 'forum_members', memberRows(posts, now))
  await insertRows(
    trx,
    'forum_topics',
    topics.map(({ row }) => row),
  )
  await insertRows(trx, 'forum_posts', posts)
  await fillDocs(trx)
}

function withTimes(topic: DemoTopic, index: number, now: Temporal.Instant) {
  const id = topicId(topic)
  const last = now.subtract({ minutes: minutesAgo(index) })
  const steps = topic.posts.length - 1
  const times = topic.posts.map((_, number) =>
    last.subtract({ minutes: Math.round((steps - number) * pauseMinutes(index)) }),
  )
  const posts = topic.posts.map(([by, body, likes = 0, replyTo], number): DemoPostRow => {
    const { content } = readMarkdown(body)
    return {
      post_id: stableId(`forum post ${topic.title} ${number + 1}`),
      topic_id: id,
      post_number: number + 1,
      author_id: memberId(by),
      created_at: times[number]!.toString(),
      state: 'visible',
      like_count: likes,
      open_flags: 0,
      reply_to: replyTo ?? null,
      lang: topic.lang,
      body,
      content,
      body_hash: `\\x${hashOf(body).toString('hex')}`,
      doc: '',
    }
  })
  const row = {
    topic_id: id,
    category: topic.in,
    title: topic.title,
    tags: topic.tags ?? [],
    lang: topic.lang,
    author_id: memberId(topic.posts[0]![0]),
    created_at: times[0]!.toString(),
    updated_at: last.toString(),
    state: 'visible',
    is_pinned: topic.pinned ?? false,
    is_locked: topic.locked ?? false,
    solved_number: topic.solved ?? null,
    linked_kind: topic.about?.kind ?? null,
    linked_id: topic.about === undefined ? null : stableId(topic.about.name),
    last_number: posts.length,
    post_count: posts.length,
    last_post_at: last.toString(),
    last_author_id: posts.at(-1)!.author_id,
  }
  return { row, posts }
}

/** The list is written newest first: minutes for the first ones, then hours, then days. */
const minutesAgo = (index: number) => Math.round(3 + index * 7 + index ** 3 * 0.18)
const pauseMinutes = (index: number) => 4 + ((index * 7) % 23)

function memberRows(posts: DemoPostRow[], now: Temporal.Instant) {
  return (Object.entries(demoPeople) as [DemoPersonKey, DemoPerson][]).map(([key, person]) => {
    const own = posts.filter((post) => post.author_id === memberId(key))
    return {
      member_id: memberId(key),
      handle: slugOf(person.name, 28),
      display_name: person.name,
      role: person.role ?? 'user',
      is_verified: true,
      joined_at: now.subtract({ hours: person.days * 24 }).toString(),
      topics_written: own.filter((post) => post.post_number === 1).length,
      replies_written: own.filter((post) => post.post_number > 1).length,
      posts_read: 120,
      likes_given: 5,
      likes_received: own.reduce((sum, post) => sum + post.like_count, 0),
      has_redeemed: true,
    }
  })
}
