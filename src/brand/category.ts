import { glyphPaths, toCategory, type Category } from './posters/poster-glyphs.ts'

export { toCategory, type Category }

/** All categories that have a hue and a glyph, in the order of the specification. */
export const categories = Object.keys(glyphPaths) as Category[]

/** Classes for a background in the category's hue and text on it. Written out: Tailwind reads class names from the source. */
export const categoryFill: Record<Category, string> = {
  food: 'bg-food text-on-food',
  drinks: 'bg-drinks text-on-drinks',
  nightlife: 'bg-nightlife text-on-nightlife',
  shopping: 'bg-shopping text-on-shopping',
  culture: 'bg-culture text-on-culture',
  wellness: 'bg-wellness text-on-wellness',
  music: 'bg-music text-on-music',
  workshop: 'bg-workshop text-on-workshop',
  family: 'bg-family text-on-family',
  sport: 'bg-sport text-on-sport',
  other: 'bg-other text-on-other',
}

/** Classes for text or lines in the category's hue, readable on page, surface and well. */
export const categoryText: Record<Category, string> = {
  food: 'text-food-text',
  drinks: 'text-drinks-text',
  nightlife: 'text-nightlife-text',
  shopping: 'text-shopping-text',
  culture: 'text-culture-text',
  wellness: 'text-wellness-text',
  music: 'text-music-text',
  workshop: 'text-workshop-text',
  family: 'text-family-text',
  sport: 'text-sport-text',
  other: 'text-other-text',
}
