import { hueOf } from './posters/poster-inks.ts'
import type { Category } from './posters/poster-glyphs.ts'

const night = '#0e1b2c'
const paper = '#fbf6ee'

/** The hue of a category and the ink on it, as in its tokens but as values, for a canvas. */
export function categoryInks(category: Category): { hue: string; ink: string } {
  return { hue: hueOf(category), ink: category === 'nightlife' || category === 'culture' ? paper : night }
}
