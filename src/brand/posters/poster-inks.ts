import type { Category } from './poster-glyphs.ts'

/** The four colours of a poster: background, main form, second form, and `spark` for small areas. */
export type Inks = { ground: string; main: string; second: string; spark: string }

const night = '#0e1b2c'
const river = '#123a5a'
const paper = '#fbf6ee'

/** `hue` as in tokens.css. `spark` contrasts with it, `tint` is pale. `glow`: used on dark backgrounds where `hue` is too dark. */
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

/** The category's hue, as in tokens.css. */
export const hueOf = (category: Category) => hues[category].hue

/** One of six colourways of a category. All six may stand side by side on one page. */
export function inksOf(category: Category, choice: number): Inks {
  const { hue, spark, tint, glow = hue } = hues[category]
  const colourways: Inks[] = [
    { ground: hue, main: night, second: paper, spark: spark === '#f5a79c' ? '#c8321f' : spark },
    { ground: paper, main: hue, second: night, spark },
    { ground: night, main: glow, second: paper, spark },
    { ground: tint, main: hue, second: river, spark: spark === '#ffc247' ? '#f2574a' : spark },
    { ground: hue, main: paper, second: night, spark: tint },
    { ground: river, main: glow === '#4a9fd8' ? '#7cc0ee' : glow, second: tint, spark: '#ffc247' },
  ]
  return colourways[choice % colourways.length]!
}
