/**
 * One glyph for each category, 24 × 24, cut from flat shapes (fill rule evenodd): the same on cards, map pins, the
 * timetable and posters.
 */
export const glyphPaths = {
  // bowl with steam
  food: 'M2 12h20a10 9 0 0 1-6 8v1H8v-1a10 9 0 0 1-6-8ZM7 10q-2-2 0-4t0-4h2.2q2 2 0 4t0 4ZM14 10q-2-2 0-4t0-4h2.2q2 2 0 4t0 4Z',
  // glass with a slice
  drinks: 'M3 3h13.3a4.5 4.5 0 1 1 1.9 6.6L13 15.4V20h4v2H7v-2h4v-4.6L3 6Z',
  // crescent and spark
  nightlife: 'M13 2a10 10 0 1 0 9 13.5A8.5 8.5 0 0 1 13 2ZM19 2l1.1 2.9L23 6l-2.9 1.1L19 10l-1.1-2.9L15 6l2.9-1.1Z',
  // bag
  shopping: 'M7 8a5 5 0 0 1 10 0h3.5l1 14h-19l1-14Zm2.4 0h5.2a2.6 2.6 0 0 0-5.2 0Z',
  // arch with columns
  culture: 'M12 1.5 23 8v2.5H1V8ZM3 12h4v7H3Zm7 0h4v7h-4Zm7 0h4v7h-4ZM1 20.2h22v2.3H1Z',
  // leaf, cut
  wellness: 'M12 1q9 6 8 14a8 8 0 0 1-6.8 7.5V12h-2.4v10.5A8 8 0 0 1 4 15Q3 7 12 1Z',
  // note made of a wave and a disc
  music: 'M9 2.5 21 1v15.5a4 4 0 1 1-2.6-3.7V6L11.6 7v11.5A4 4 0 1 1 9 14.8Z',
  // scissors' cut: triangle, square, disc
  workshop: 'M12 1.5 17.5 11h-11ZM2 13h9v9H2Zm15.5-.2a4.7 4.7 0 1 1 0 9.4 4.7 4.7 0 0 1 0-9.4Z',
  // big and small
  family:
    'M8.5 1.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM1.5 22q0-11 7-11 4 0 5.7 3.4A6.6 6.6 0 0 0 12.4 22Zm16-11.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM13.7 22q.3-4.5 4-4.5t4.3 4.5Z',
  // ball with seams
  sport:
    'M10.8 1.1A11 11 0 0 0 1.1 10.8q8.900-.8 9.700-9.700ZM13.200 1.100q-.8 11.300-12.100 12.100a11 11 0 0 0 9.700 9.700q.8-11.300 12.100-12.100a11 11 0 0 0-9.700-9.700ZM22.900 13.200q-8.900.8-9.700 9.700a11 11 0 0 0 9.700-9.700Z',
  // half discs
  other: 'M2 11a10 10 0 0 1 20 0ZM2 13h9v9a9 9 0 0 1-9-9Zm11 0h9v9h-9Z',
} as const

/** Categories with a hue and a glyph: those of deals and of events. */
export type Category = keyof typeof glyphPaths

/** The category; anything unknown is `other`. */
export function toCategory(value: string | null | undefined): Category {
  return value && Object.hasOwn(glyphPaths, value) ? (value as Category) : 'other'
}
