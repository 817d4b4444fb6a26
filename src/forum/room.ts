import type { Room } from '../kit/server/room.ts'
import { forumPage, page, topicPage } from '../site-map.ts'
import { forumCategories } from './contract.ts'
import { fillDemoForum } from './demo/demo-forum.ts'
import {
  forgetUnusedImages,
  forumLimits,
  listTopicPages,
  noteRedeemed,
  stepToTopic,
  type ForumRoom,
} from './server/forum.ts'
import { serveFeeds } from './server/feeds.ts'
import { keepsPosts } from './server/keeping.ts'
import { forumOperations } from './server/routes.ts'

export const forum: Room<ForumRoom> = {
  name: 'forum',
  looksInto: ['accounts', 'deals'],
  open: ({ db, clock, files, texts, tell, site, limiter }) => ({
    db,
    clock,
    files,
    texts,
    tell,
    festivalName: site.name,
    origin: site.origin,
    limits: forumLimits(limiter),
  }),
  operations: forumOperations,
  serve: serveFeeds,
  demo: fillDemoForum,
  jobs: (own) => ({ 'forget-forum-images': { cron: '35 4 * * *', run: () => forgetUnusedImages(own) } }),
  // trust grows with a redeemed deal
  hears: ({ db }) => ({ 'deal-redeemed': ({ account_id }) => noteRedeemed(db, String(account_id)) }),
  sitemap: ({ db }) => ({
    pages: [{ path: page.forum }, ...forumCategories.map((category) => ({ path: forumPage(category) }))],
    shelves: {
      topics: {
        list: async (from, limit) =>
          (await listTopicPages(db, from, limit)).map(({ id, updated_at }) => ({
            path: topicPage(id),
            changed: updated_at,
          })),
        next: (from, steps) => stepToTopic(db, from, steps),
      },
    },
  }),
  answers: () => ({ personalData: keepsPosts }),
}
