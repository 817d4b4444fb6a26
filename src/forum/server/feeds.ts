import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../../kit/server/mail-html.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { forumFeed, forumPage, page, postPlace, topicFeed, topicPage } from '../../site-map.ts'
import type { Piece } from '../../kit/shared/rich-text.ts'
import { forumCategories } from '../contract.ts'
import { plainOf } from '../../kit/server/markdown.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'

/** Entries in a feed, at most. */
const entries = 30

/**
 * RSS feeds: new topics of the forum or of a category, new posts of a topic. Titles and texts are plain text; the library
 * escapes them. Answers have an ETag, so feed readers that poll get 304.
 */
export function serveFeeds(app: FastifyInstance, room: ForumRoom) {
  const hidden = { schema: { hide: true } }
  app.get(forumFeed(null), hidden, (request, reply) => send(request, reply, () => topicsFeed(room, null)))
  app.get(`${page.forum}/:category/feed.xml`, hidden, (request, reply) => {
    const { category } = request.params as { category: string }
    const known = forumCategories.find((each) => each === category)
    return known ? send(request, reply, () => topicsFeed(room, known)) : reply.callNotFound()
  })
  app.get(`${page.forum}/topic/:topic_id/feed.xml`, hidden, async (request, reply) => {
    const { topic_id } = request.params as { topic_id: string }
    const topic = isUuid(topic_id) ? await store.findTopic(room.db, topic_id) : undefined
    if (topic?.state === 'merged') return reply.redirect(topicFeed(topic.merged_into!), 301)
    if (topic?.state !== 'visible') return reply.callNotFound()
    return send(request, reply, () => postsFeed(room, topic))
  })
}

async function send(request: FastifyRequest, reply: FastifyReply, write: () => Promise<string>) {
  const text = await write()
  // an empty feed has the time of the answer here, which would change the ETag each time
  const content = text.replace(/<lastBuildDate>[^<]*<\/lastBuildDate>/, '')
  const etag = `"${hash('sha256', content, 'base64url').slice(0, 27)}"`
  reply.header('etag', etag).header('cache-control', 'public, max-age=60')
  if (request.headers['if-none-match']?.split(/,\s*/).includes(etag)) return reply.status(304).send()
  return reply.type('application/rss+xml; charset=utf-8').send(text)
}

async function topicsFeed(
  { db, festivalName, origin, texts }: ForumRoom,
  category: (typeof forumCategories)[number] | null,
) {
  const filter = { category, tag: null, lang: null, solved: null, linked: null }
  const topics = await store.listTopics(db, filter, { sort: 'new', after: null, limit: entries, offset: 0 })
  const firsts = await store.firstPostsOf(
    db,
    topics.map((topic) => topic.topic_id),
  )
  const name = category === null ? texts.say('en', 'forum.title') : texts.say('en', `forum.category.${category}`)
  const feed = await newFeed(origin, {
    title: `${festivalName}: ${name}`,
    link: forumPage(category),
    self: forumFeed(category),
    updated: topics[0]?.created_at,
  })
  for (const topic of topics)
    feed.addItem({
      ...titled(readable(topic.title)),
      id: origin + topicPage(topic.topic_id),
      link: origin + topicPage(topic.topic_id),
      description: textOf(firsts.get(topic.topic_id) ?? []),
      date: new Date(topic.created_at),
      author: [{ name: readable(topic.author.name ?? '–') }],
      category: [
        { name: texts.say('en', `forum.category.${topic.category}`) },
        ...topic.tags.map((tag) => ({ name: readable(tag) })),
      ],
    })
  return feed.rss2()
}

async function postsFeed({ db, festivalName, origin }: ForumRoom, topic: store.TopicRow) {
  const rows = await store.postsBetween(
    db,
    topic.topic_id,
    Math.max(1, topic.last_number - entries + 1),
    topic.last_number,
  )
  const posts = rows.filter((post) => post.state === 'visible').toReversed()
  const feed = await newFeed(origin, {
    title: `${festivalName}: ${readable(topic.title)}`,
    link: topicPage(topic.topic_id),
    self: topicFeed(topic.topic_id),
    updated: topic.last_post_at,
  })
  for (const post of posts)
    feed.addItem({
      ...titled(`${readable(topic.title)} #${post.post_number}`),
      id: origin + postPlace(topic.topic_id, post.post_number),
      link: origin + postPlace(topic.topic_id, post.post_number),
      description: textOf(post.content),
      date: new Date(post.created_at),
      author: [{ name: readable(post.author.name ?? '–') }],
    })
  return feed.rss2()
}

async function newFeed(origin: string, of: { title: string; link: string; self: string; updated: string | undefined }) {
  // imported on demand: few requests need it, and starting is faster
  const { Feed } = await import('feed')
  return new Feed({
    title: of.title,
    description: of.title,
    id: origin + of.link,
    link: origin + of.link,
    feedLinks: { rss: origin + of.self },
    copyright: '',
    ...(of.updated === undefined ? {} : { updated: new Date(of.updated) }),
  })
}

/** The library writes titles of items as CDATA, which feed readers take for HTML; its extensions write plain text. */
const titled = (title: string) => ({ title: '', extensions: [{ name: 'title', objects: { _text: title } }] })

/** Feed readers show descriptions as HTML, so plain text must be escaped. */
const textOf = (content: Piece[]) => escapeHtml(readable(plainOf(content)).slice(0, 2000))

/** XML allows no control characters but tab and line end, not even escaped. */
const readable = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').trim()
