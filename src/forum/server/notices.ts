import { isUuid } from '../../kit/shared/input.ts'
import { publish } from '../../live/server/live.ts'
import { notify, withdraw } from '../../notifications/server/notifications.ts'
import { postPlace } from '../../site-map.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'

/** The public channel of a topic: `topic:<id>`. */
export const topicChannel = 'topic'

/** Makes open pages of the topic load the post again. Call it in the transaction of the post. */
export const refreshTopicPages = ({ live }: Pick<ForumRoom, 'live'>, trx: Sql, topicId: string, number: number) =>
  publish(live, trx, { channel: `${topicChannel}:${topicId}`, kind: 'post', data: { post_number: number } })

/**
 * Refreshes open pages after a change of a post or its topic, and withdraws notices of what is no longer visible. A merged topic
 * leads to its new place, so its notices stay.
 */
export async function publishPostChange(room: ForumRoom, trx: Sql, topicId: string, number: number): Promise<void> {
  const states = await store.statesOf(trx, topicId, number)
  const isTopicGone = states && states.topic !== 'visible' && states.topic !== 'merged'
  if (isTopicGone || (states && states.post !== 'visible'))
    for (const { topic_id, by, last_number } of await placesOf(trx, topicId)) {
      const numberThere = number - by
      if (isTopicGone) await withdraw(room.notifications, trx, { group: groupOf(topic_id) })
      else if (numberThere >= 1 && numberThere <= last_number)
        await withdraw(room.notifications, trx, { group: groupOf(topic_id), path: postPlace(topic_id, numberThere) })
    }
  await refreshTopicPages(room, trx, topicId, number)
}

/** The topic and those merged into it: older notices name a post by its number in the merged topic. */
const placesOf = async (trx: Sql, topicId: string) => [
  { topic_id: topicId, by: 0, last_number: Infinity },
  ...(await store.mergedInto(trx, topicId)),
]

/** Unread notices of one topic are grouped into one. */
const groupOf = (topicId: string) => `topic:${topicId}`

/** Each person gets one notice of a post, whichever reason comes first. */
const onceFor = (postId: string) => `forum:${postId}`

/** Notifies the author who was answered and the watchers of the topic. Safe to repeat. */
export async function notifyOfNewPost(room: ForumRoom, postId: string): Promise<void> {
  const found = await findVisiblePost(room, postId)
  // the first post answers nobody, and watchers of the topic have seen it
  if (!found || found.post.post_number === 1) return
  const { post, topic, about } = found
  const recipients = await store.listRecipients(room.db, {
    topicId: post.topic_id,
    postId,
    answered: post.reply_to ?? 1,
  })
  for (const type of ['forum_reply', 'forum_watched'] as const)
    await room.db.transaction().execute((trx) =>
      notify(room.notifications, trx, {
        type,
        accountIds: recipients.filter(({ why }) => why === type).map(({ account_id }) => account_id),
        once: onceFor(postId),
        group: groupOf(post.topic_id),
        values: valuesOf(post, topic),
        about,
        path: postPlace(post.topic_id, post.post_number),
      }),
    )
}

/** Notifies a mentioned member, unless they muted the topic or blocked the author. */
export async function notifyOfMention(room: ForumRoom, postId: string, accountId: string): Promise<void> {
  const found = await findVisiblePost(room, postId)
  if (!found || !isUuid(accountId)) return
  const { post, topic, about } = found
  if (!(await store.isRecipient(room.db, { topicId: post.topic_id, postId, accountId }))) return
  await room.db.transaction().execute((trx) =>
    notify(room.notifications, trx, {
      type: 'forum_mention',
      accountIds: [accountId],
      once: onceFor(postId),
      group: groupOf(post.topic_id),
      values: valuesOf(post, topic),
      about,
      path: postPlace(post.topic_id, post.post_number),
    }),
  )
}

/** null: hidden or deleted before the job ran. */
async function findVisiblePost({ db }: ForumRoom, postId: string) {
  const post = isUuid(postId) ? await store.findPost(db, postId) : undefined
  const topic = post?.state === 'visible' ? await store.findTopic(db, post.topic_id) : undefined
  if (!post || topic?.state !== 'visible') return null
  return { post, topic, about: await store.accountOfMember(db, post.author.member_id) }
}

const valuesOf = (post: { author: { name: string | null } }, topic: { title: string }) => ({
  name: post.author.name ?? '–',
  topic: topic.title,
})

const everybody = ['user', 'business', 'moderator', 'admin']

/** `isPrivate`: pushes name nobody. */
export const forumNotices = {
  forum_mention: { roles: everybody, channels: ['in_app', 'push'], mailAfterMinutes: 10, isPrivate: true },
  forum_reply: { roles: everybody, channels: ['in_app', 'push'], mailAfterMinutes: 10, isPrivate: true },
  forum_watched: { roles: everybody, channels: ['in_app'], mailAfterMinutes: 30, isPrivate: true },
} as const
