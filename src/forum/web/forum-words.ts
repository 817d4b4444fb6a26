import type { Category } from '../../brand/category.ts'
import type { ForumCategory } from '../limits.ts'

/** The hue and glyph of each category, the same wherever it stands. */
export const categoryLook: Record<ForumCategory, Category> = {
  announcements: 'nightlife',
  'line-up': 'music',
  'food-deals': 'food',
  'getting-around': 'sport',
  'meet-ups': 'drinks',
  'lost-found': 'shopping',
  help: 'wellness',
}
