import type { Category } from '../../brand/category.ts'
import type { ForumCategory } from '../limits.ts'

/** Colour and icon of each forum category: those of a category of deals. */
export const categoryLook: Record<ForumCategory, Category> = {
  announcements: 'nightlife',
  'line-up': 'music',
  'food-deals': 'food',
  'getting-around': 'sport',
  'meet-ups': 'drinks',
  'lost-found': 'shopping',
  help: 'wellness',
}
