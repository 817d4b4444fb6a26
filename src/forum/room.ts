import type { Sql } from '../kit/server/database.ts'
import type { Room } from '../kit/server/room.ts'
import { live } from '../live/room.ts'
import { notifications } from '../notifications/room.ts'
import { forumPage, page, topicPage } from '../site-map.ts'
import { forumCategories } from './contract.ts'
import { fillDemoForum } from './demo/demo-forum.ts'
import {
  forgetImagesJob,
  forgetUnusedImages,
  forumLimits,
  isImageSeen,
  listTopicPages,
  noteRedeemed,
  type ForumRoom,
} from './server/forum.ts'
import { serveFeeds } from './server/feeds.ts'
import { keepsPosts } from './server/keeping.ts'
import { forumNotices, tellOfMention, tellOfNewPost, topicChannel } from './server/notices.ts'
import { forumOperations } from './server/routes.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** Told of a post that its author deleted, in the transaction of it. */
    postDeleted: (trx: Sql, postId: string) => Promise<void>
  }
}

export const forum: Room<ForumRoom> = {
  name: 'forum',
  looksInto: ['accounts', 'live', 'notifications', 'staff', 'businesses', 'deals', 'events', 'redemptions'],
  texts: ['forum'],
  open: ({ db, clock, keyring, jobs, files, texts, publishFact, site, limiter, of, answersTo }) => ({
    db,
    clock,
    keyring,
    jobs,
    files,
    texts,
    publishFact,
    live: of(live),
    notifications: of(notifications),
    festivalName: site.name,
    origin: site.origin,
    limits: forumLimits(limiter),
    // the room above opens later
    async postDeleted(trx, postId) {
      for (const told of answersTo('postDeleted')) await told(trx, postId)
    },
  }),
  operations: forumOperations,
  serve: serveFeeds,
  demo: fillDemoForum,
  jobs: (own) => ({
    [forgetImagesJob]: { cron: '35 4 * * *', run: () => forgetUnusedImages(own) },
  }),
  onFacts: (own) => ({
    // trust grows with a redeemed deal
    'deal-redeemed': ({ account_id }) => noteRedeemed(own.db, String(account_id)),
    'forum-post-published': ({ post_id }) => tellOfNewPost(own, String(post_id)),
    'forum-mention': ({ post_id, account_id }) => tellOfMention(own, String(post_id), String(account_id)),
  }),
  sitemap: ({ db }) => ({
    pages: [{ path: page.forum }, ...forumCategories.map((category) => ({ path: forumPage(category) }))],
    shelves: {
      topics: async (limit) =>
        (await listTopicPages(db, limit)).map(({ id, updated_at }) => ({ path: topicPage(id), changed: updated_at })),
    },
  }),
  answers: (own) => ({
    personalData: keepsPosts,
    seenUploads: (name) => isImageSeen(own.db, name),
    publicChannels: [topicChannel],
    notificationTypes: forumNotices,
  }),
}
