import { z } from 'zod'
import { roles } from '../../accounts/limits.ts'
import type { Sql } from '../../kit/server/database.ts'
import { insertRows, readDemo, stableId, type DemoSetting } from '../../kit/server/demo-rows.ts'
import { readMarkdown } from '../../kit/server/markdown.ts'
import { slugOf } from '../../kit/shared/slug.ts'
import { createPost, createTopic } from '../contract.ts'
import { postLanguages } from '../limits.ts'
import { fillDocs } from '../server/store/demo.ts'
import { hashOf } from '../server/writing.ts'

/** An invented member, without an account. */
const demoPerson = z.strictObject({
  key: z.string(),
  display_name: z.string(),
  role: z.enum(roles).default('user'),
  joined_days_ago: z.int(),
})

const demoPost = createPost
  .body!.pick({ body: true, reply_to: true })
  .extend({ by: z.string(), minutes_ago: z.int(), likes: z.int().default(0) })
  .strict()

const demoTopic = createTopic
  .body!.pick({ category: true, title: true, tags: true })
  .extend({
    lang: z.enum(postLanguages),
    is_pinned: z.boolean().default(false),
    is_locked: z.boolean().default(false),
    solved_number: z.int().nullable().default(null),
    /** `name`: the text that the demo gives `stableId` for the event or deal, e.g. `event 0 rhine Mira Solé`. */
    about: z.strictObject({ kind: z.enum(['event', 'deal']), name: z.string() }).optional(),
    posts: z.array(demoPost).min(1),
  })
  .strict()
type DemoTopic = z.output<typeof demoTopic>

export const demoForum = () =>
  readDemo('forum', z.strictObject({ people: z.array(demoPerson), topics: z.array(demoTopic) }))

const memberId = (key: string) => stableId(`forum member ${key}`)
const topicId = (title: string) => stableId(`forum topic ${title}`)

export async function fillDemoForum(trx: Sql, { now }: DemoSetting): Promise<void> {
  const { people, topics } = demoForum()
  const posts = topics.flatMap((topic) => postRows(topic, now))
  await insertRows(
    trx,
    'forum_members',
    people.map((person) => memberRow(person, posts, now)),
  )
  await insertRows(
    trx,
    'forum_topics',
    topics.map((topic) => topicRow(topic, now)),
  )
  await insertRows(trx, 'forum_posts', posts)
  await fillDocs(trx)
}

const minutesAgo = (now: Temporal.Instant, minutes: number) => now.subtract({ minutes }).toString()

function postRows(topic: DemoTopic, now: Temporal.Instant) {
  return topic.posts.map(({ by, body, likes, reply_to, minutes_ago }, index) => ({
    post_id: stableId(`forum post ${topic.title} ${index + 1}`),
    topic_id: topicId(topic.title),
    post_number: index + 1,
    author_id: memberId(by),
    created_at: minutesAgo(now, minutes_ago),
    state: 'visible',
    like_count: likes,
    open_flags: 0,
    reply_to: reply_to ?? null,
    lang: topic.lang,
    body,
    content: readMarkdown(body).content,
    body_hash: `\\x${hashOf(body).toString('hex')}`,
    doc: '',
  }))
}

function topicRow({ about, posts, ...topic }: DemoTopic, now: Temporal.Instant) {
  const [first, last] = [posts[0]!, posts.at(-1)!]
  const lastAt = minutesAgo(now, last.minutes_ago)
  return {
    topic_id: topicId(topic.title),
    ...topic,
    tags: topic.tags ?? [],
    author_id: memberId(first.by),
    created_at: minutesAgo(now, first.minutes_ago),
    updated_at: lastAt,
    state: 'visible',
    linked_kind: about?.kind ?? null,
    linked_id: about === undefined ? null : stableId(about.name),
    last_number: posts.length,
    post_count: posts.length,
    last_post_at: lastAt,
    last_author_id: memberId(last.by),
  }
}

function memberRow(person: z.output<typeof demoPerson>, posts: ReturnType<typeof postRows>, now: Temporal.Instant) {
  const own = posts.filter((post) => post.author_id === memberId(person.key))
  return {
    member_id: memberId(person.key),
    handle: slugOf(person.display_name, 28),
    display_name: person.display_name,
    role: person.role,
    is_verified: true,
    joined_at: now.subtract({ hours: person.joined_days_ago * 24 }).toString(),
    topics_written: own.filter((post) => post.post_number === 1).length,
    replies_written: own.filter((post) => post.post_number > 1).length,
    posts_read: 120,
    likes_given: 5,
    likes_received: own.reduce((sum, post) => sum + post.like_count, 0),
    has_redeemed: true,
  }
}
