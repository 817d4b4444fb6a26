/** Words and limits that contract and screens share. */

export const forumCategories = [
  'announcements',
  'line-up',
  'food-deals',
  'getting-around',
  'meet-ups',
  'lost-found',
  'help',
] as const
export type ForumCategory = (typeof forumCategories)[number]

/** Languages of posts. Where the language of a text cannot be guessed, the post gets that of the interface. */
export const postLanguages = ['en', 'de', 'fr', 'it'] as const
export type PostLanguage = (typeof postLanguages)[number]

export const postsPerPage = 20
/** Characters. */
export const titleLength = { min: 5, max: 120 }
export const bodyLength = { min: 2, max: 10_000 }
export const tagsAtMost = 5
/** Bytes of an uploaded picture. */
export const imageMaxBytes = 5 * 1024 * 1024

export const flagKinds = ['spam', 'offensive', 'off_topic', 'unsafe', 'illegal', 'other'] as const

export const forumFacts = { postPublished: 'forum-post-published', mention: 'forum-mention' } as const
