import { isUuid } from '../../kit/shared/input.ts'
import { publish } from '../../live/server/live.ts'
import { notify, withdraw } from '../../notifications/server/notifications.ts'
import { postPlace } from '../../site-map.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'

/** The public channel of a topic: `topic:<id>`. */
export const topicChannel = 'topic'

/** Open pages of the topic show it without a reload. In the transaction of the post. */
export const refreshTopicPages = (
  { live }: Pick<ForumRoom, 'live'>,
  trx: Sql,
  topicId: string,
  number: number,
): Promise<void> =>
  publish(live, trx, { channel: `${topicChannel}:${topicId}`, kind: 'post', data: { post_number: number } })

/**
 * The same of a post that has changed, or of its topic; what people were told of it is taken back once others do not see it any
 * more. A merged topic leads on, so what was told of it stays.
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

/** The topic, and those that were merged into it: notices of before the merge name a post by its place there. */
const placesOf = async (trx: Sql, topicId: string) => [
  { topic_id: topicId, by: 0, last_number: Infinity },
  ...(await store.mergedInto(trx, topicId)),
]

/** Of notices: the unread ones of a topic become one. */
const groupOf = (topicId: string) => `topic:${topicId}`

/** Told of one post, each person hears of it once, by whatever comes first. */
const onceFor = (postId: string) => `forum:${postId}`

/** Who was answered, and who watches the topic, hears of a new post. A job, so it may come twice. */
export async function notifyOfNewPost(room: ForumRoom, postId: string): Promise<void> {
  const told = await findVisiblePost(room, postId)
  // the first answers nobody, and who watches the topic by now came to it when it was there
  if (!told || told.post.post_number === 1) return
  const { post, topic, about } = told
  const heard = await store.listRecipients(room.db, {
    topicId: post.topic_id,
    postId,
    answered: post.reply_to ?? 1,
  })
  for (const type of ['forum_reply', 'forum_watched'] as const)
    await room.db.transaction().execute((trx) =>
      notify(room.notifications, trx, {
        type,
        accountIds: heard.filter(({ why }) => why === type).map(({ account_id }) => account_id),
        once: onceFor(postId),
        group: groupOf(post.topic_id),
        values: valuesOf(post, topic),
        about,
        path: postPlace(post.topic_id, post.post_number),
      }),
    )
}

/** Who is mentioned hears of it, unless they muted the topic or blocked the author. */
export async function notifyOfMention(room: ForumRoom, postId: string, accountId: string): Promise<void> {
  const told = await findVisiblePost(room, postId)
  if (!told || !isUuid(accountId)) return
  const { post, topic, about } = told
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

/** null: hidden or deleted before its turn came. */
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

/** Pushes of them name nobody. */
export const forumNotices = {
  forum_mention: { roles: everybody, channels: ['in_app', 'push'], mailAfterMinutes: 10, isPrivate: true },
  forum_reply: { roles: everybody, channels: ['in_app', 'push'], mailAfterMinutes: 10, isPrivate: true },
  forum_watched: { roles: everybody, channels: ['in_app'], mailAfterMinutes: 30, isPrivate: true },
} as const
