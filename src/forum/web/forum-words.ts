import type { Category } from '../../brand/category.ts'
import type * as contract from '../contract.ts'

// the same as in the contract, which never reaches the browser; forum-words.test.ts compares them

export const forumCategories: typeof contract.forumCategories = [
  'announcements',
  'line-up',
  'food-deals',
  'getting-around',
  'meet-ups',
  'lost-found',
  'help',
]
export const postLanguages: typeof contract.postLanguages = ['en', 'de', 'fr', 'it']
export const flagKinds: typeof contract.flagKinds = ['spam', 'offensive', 'off_topic', 'unsafe', 'illegal', 'other']
export const postsPerPage: typeof contract.postsPerPage = 20
export const titleLength: typeof contract.titleLength = { min: 5, max: 120 }
export const bodyLength: typeof contract.bodyLength = { min: 2, max: 10_000 }
export const tagsAtMost: typeof contract.tagsAtMost = 5
export const imageMaxBytes: typeof contract.imageMaxBytes = 5 * 1024 * 1024

/** The hue and glyph of each category, the same wherever it stands. */
export const categoryLook: Record<contract.ForumCategory, Category> = {
  announcements: 'nightlife',
  'line-up': 'music',
  'food-deals': 'food',
  'getting-around': 'sport',
  'meet-ups': 'drinks',
  'lost-found': 'shopping',
  help: 'wellness',
}
