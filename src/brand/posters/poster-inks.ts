import type { Category } from './poster-glyphs.ts'

/** Four inks of a poster: the ground, the main form, the second form, and the spark in small areas. */
export type Inks = { ground: string; main: string; second: string; spark: string }

const night = '#0e1b2c'
const river = '#123a5a'
const paper = '#fbf6ee'

/** Hue as in tokens.css, a contrasting spark, a tint, and a glow that is bright enough for the main form on night. */
const hues: Record<Category, { hue: string; spark: string; tint: string; glow?: string }> = {
  food: { hue: '#f28a2e', spark: '#c8321f', tint: '#ffdca8' },
  drinks: { hue: '#e4608f', spark: '#ffc247', tint: '#ffd0dc' },
  nightlife: { hue: '#5648b0', spark: '#f2574a', tint: '#c9c3f4', glow: '#8d82e0' },
  shopping: { hue: '#1ba59b', spark: '#ffc247', tint: '#b9e3da' },
  culture: { hue: '#b4502f', spark: '#ffc247', tint: '#f3c9b2', glow: '#d56c47' },
  wellness: { hue: '#74bc8e', spark: '#f5a79c', tint: '#d3ebd3' },
  music: { hue: '#4a9fd8', spark: '#f2574a', tint: '#c4e1f3' },
  workshop: { hue: '#b9bc45', spark: '#f2574a', tint: '#e9e9b4' },
  family: { hue: '#f5a79c', spark: '#1b8a94', tint: '#fde2da' },
  sport: { hue: '#3fa05a', spark: '#ffc247', tint: '#cbe7bf' },
  other: { hue: '#93a6b5', spark: '#f28a2e', tint: '#d9e1e7' },
}

/** The hue of its tokens. */
export const hueOf = (category: Category) => hues[category].hue

/** One of six colourways of a category; all of them go together on one page. */
export function inksOf(category: Category, choice: number): Inks {
  const { hue, spark, tint, glow = hue } = hues[category]
  const ways: Inks[] = [
    { ground: hue, main: night, second: paper, spark: spark === '#f5a79c' ? '#c8321f' : spark },
    { ground: paper, main: hue, second: night, spark },
    { ground: night, main: glow, second: paper, spark },
    { ground: tint, main: hue, second: river, spark: spark === '#ffc247' ? '#f2574a' : spark },
    { ground: hue, main: paper, second: night, spark: tint },
    { ground: river, main: glow === '#4a9fd8' ? '#7cc0ee' : glow, second: tint, spark: '#ffc247' },
  ]
  return ways[choice % ways.length]!
}
