import type { Sql } from '../kit/server/database.ts'
import type { Room } from '../kit/server/room.ts'
import { pickedOf } from '../kit/shared/thing.ts'
import { live } from '../live/room.ts'
import { notifications } from '../notifications/room.ts'
import { forumPage, page, topicPage } from '../site-map.ts'
import { forumCategories } from './contract.ts'
import { fillDemoForum } from './demo/demo-forum.ts'
import { serveFeeds } from './server/feeds.ts'
import { forumPersonalData } from './server/personal-data.ts'
import { forumNotices, notifyOfMention, notifyOfNewPost, topicChannel } from './server/notices.ts'
import { forgetImagesJob, forgetUnusedImages } from './server/images.ts'
import { forumLimits, fromHouse, type ForumRoom } from './server/room.ts'
import { forumOperations } from './server/routes.ts'
import { dealFacts } from '../deals/contract.ts'
import { forumFacts } from './limits.ts'
import { isImageSeen, listTopicPages, noteRedeemed } from './server/store.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** Called when an author deletes a post, in the same transaction. */
    postDeleted: (trx: Sql, postId: string) => Promise<void>
  }
}

export const forum: Room<ForumRoom> = {
  name: 'forum',
  looksInto: ['accounts', 'live', 'notifications', 'staff', 'businesses', 'deals', 'events', 'places', 'redemptions'],
  texts: ['forum'],
  open: (house) => ({
    ...pickedOf(house, fromHouse),
    live: house.of(live),
    notifications: house.of(notifications),
    festivalName: house.site.name,
    origin: house.site.origin,
    limits: forumLimits(house.limiter),
    // the rooms above open later, so they are looked up at each call
    async postDeleted(trx, postId) {
      for (const onDeleted of house.answersTo('postDeleted')) await onDeleted(trx, postId)
    },
  }),
  operations: forumOperations,
  serve: serveFeeds,
  demo: fillDemoForum,
  jobs: (own) => ({
    [forgetImagesJob]: { cron: '35 4 * * *', run: () => forgetUnusedImages(own) },
  }),
  onFacts: (own) => ({
    // a redeemed deal raises the trust level
    [dealFacts.redeemed]: ({ account_id }) => noteRedeemed(own.db, String(account_id)),
    [forumFacts.postPublished]: ({ post_id }) => notifyOfNewPost(own, String(post_id)),
    [forumFacts.mention]: ({ post_id, account_id }) => notifyOfMention(own, String(post_id), String(account_id)),
  }),
  sitemap: ({ db }) => ({
    pages: [{ path: page.forum }, ...forumCategories.map((category) => ({ path: forumPage(category) }))],
    shelves: {
      topics: async (limit) =>
        (await listTopicPages(db, limit)).map(({ id, updated_at }) => ({ path: topicPage(id), changed: updated_at })),
    },
  }),
  answers: (own) => ({
    personalData: forumPersonalData,
    seenUploads: (name) => isImageSeen(own.db, name),
    publicChannels: [topicChannel],
    notificationTypes: forumNotices,
  }),
}
