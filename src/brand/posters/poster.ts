import * as drawings from './poster-drawings.ts'
import type { Drawing } from './poster-drawings.ts'
import { toCategory } from './poster-glyphs.ts'
import { inksOf } from './poster-inks.ts'
import { letters } from './poster-letters.ts'

export type PosterOf = { id: string; kind: 'deal' | 'business' | 'event'; category: string; title: string }

const d = drawings
/** Drawings by kind: things for deals, sound for events, initials for businesses. */
const repertoire: Record<PosterOf['kind'], Drawing[]> = {
  deal: [
    d.glyph,
    d.moonOverWater,
    d.tiles,
    d.rosette,
    d.overprint,
    d.glyph,
    d.halftone,
    d.bridge,
    d.rays,
    d.riverBend,
    d.shiftedRings,
  ],
  event: [
    d.soundOnWater,
    d.soundHill,
    d.record,
    d.shiftedRings,
    d.strings,
    d.rays,
    d.riverBend,
    d.halftone,
    d.moonOverWater,
    d.overprint,
  ],
  business: [d.initial, d.bridge, d.initial, d.tiles, d.initial, d.overprint, d.initial, d.glyph],
}

/**
 * The picture of a deal, business or event without one: an SVG of 800 × 600, always the same for the same input. Flat shapes in the
 * category's hues and at most one big initial, so it works at any size and in any language. Presentation attributes only: no style,
 * script, text, font or outside reference. Of the title only the first letter is used, as an outline.
 */
export function posterSvg(of: PosterOf): string {
  const { ground, drawn } = drawPoster(of)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600"><rect width="800" height="600" fill="${ground}"/>${drawn}</svg>`
}

/** The elements of a poster on 800 × 600 and the colour of their ground. */
export function drawPoster({ id, kind, category, title }: PosterOf): { ground: string; drawn: string } {
  const random = stream(`${kind}:${id}`)
  const known = toCategory(category)
  const inks = inksOf(known, Math.floor(random() * 6))
  const list = repertoire[kind]
  const draw = list[Math.floor(random() * list.length)]!
  return { ground: inks.ground, drawn: draw({ inks, random, category: known, initial: initialOf(title) }) }
}

/** The first letter or digit with an outline, without its accent if necessary; R for Rheinklang if there is none. */
function initialOf(title: string): string {
  for (const character of title.toUpperCase().slice(0, 40)) {
    if (letters[character] && /[\p{L}\p{N}]/u.test(character)) return character
    const plain = character.normalize('NFD')[0] ?? ''
    if (letters[plain] && /[\p{L}\p{N}]/u.test(plain)) return plain
  }
  return 'R'
}

/** Random numbers in [0, 1), seeded by a text: FNV-1a for the seed, mulberry32 for the stream. */
function stream(text: string): () => number {
  let seed = 2166136261
  for (let k = 0; k < text.length; k++) seed = Math.imul(seed ^ text.charCodeAt(k), 16777619)
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
