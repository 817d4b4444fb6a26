import { glyphPaths, type Category } from './poster-glyphs.ts'
import type { Inks } from './poster-inks.ts'
import { letters } from './poster-letters.ts'
import { fixed } from '../../kit/shared/numbers.ts'

/** Input of a drawing: inks, a stream of random numbers in [0, 1), the category and the first letter of the title. */
export type Brief = { inks: Inks; random: () => number; category: Category; initial: string }
/** Returns SVG elements on 800 × 600; the ground is already painted. */
export type Drawing = (brief: Brief) => string

const n = (value: number) => String(Math.round(value))
const between = (random: () => number, low: number, high: number) => low + random() * (high - low)
const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

const disc = (x: number, y: number, r: number, fill: string) =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}"/>`
const rect = (x: number, y: number, width: number, height: number, fill: string, round = 0) =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}"${round ? ` rx="${n(round)}"` : ''}/>`
const shape = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`
const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${n(width)}"/>`
/** Half waves of length `half` from x = -`half` to beyond 800. */
const waves = (y: number, half: number, height: number, from = 0) =>
  `M${n(from - 2 * half)} ${n(y)}q${n(half / 2)}-${n(height)} ${n(half)} 0` +
  `t${n(half)} 0`.repeat(Math.ceil((800 - from) / half) + 2)
/** Mirrors every second poster left to right. */
const turned = (random: () => number, drawn: string) =>
  random() < 0.5 ? `<g transform="matrix(-1 0 0 1 800 0)">${drawn}</g>` : drawn

/** The moon setting behind layers of water. */
export const moonOverWater: Drawing = ({ inks, random }) => {
  const x = between(random, 230, 570)
  const top = between(random, 300, 360)
  const colours = [inks.second, inks.main, inks.second, inks.main]
  const bands = colours.map((colour, row) => {
    const y = top + row * 78
    return shape(`${waves(y, 100, 58 - row * 4, (row % 2) * -60 - random() * 60)}V600H-260Z`, colour)
  })
  return disc(x, top - between(random, 70, 110), between(random, 150, 180), inks.spark) + bands.join('')
}

/** Bars of sound above the waterline, and their shorter mirror below. */
export const soundOnWater: Drawing = ({ inks, random }) => {
  const count = pick(random, [9, 11, 13])
  const step = 800 / (count + 1)
  const width = step * 0.56
  const loud = Math.floor(between(random, 2, count - 2))
  const shift = random() * 6
  let drawn = ''
  for (let k = 0; k < count; k++) {
    const x = step * (k + 1) - width / 2
    const swell = Math.cos(((k - loud) / count) * 2.2) ** 2
    const height = 60 + 270 * swell * (0.62 + 0.38 * Math.abs(Math.sin(k * 1.9 + shift)))
    drawn += rect(x, 388 - height, width, height, k === loud ? inks.spark : inks.main)
    drawn += disc(x + width / 2, 388 - height, width / 2, k === loud ? inks.spark : inks.main)
    drawn +=
      rect(x, 412, width, height * 0.42, inks.second) + disc(x + width / 2, 412 + height * 0.42, width / 2, inks.second)
  }
  return drawn
}

/** The river's bend at Basel in lanes. */
export const riverBend: Drawing = ({ inks, random }) => {
  const width = pick(random, [34, 44, 56])
  const gap = width * 0.5
  const x = between(random, 470, 580)
  const y = between(random, 420, 500)
  const odd = Math.floor(random() * 3) + 1
  let drawn = ''
  for (let lane = 0, r = width * 1.6; r < 640; lane++, r += width + gap) {
    const colour = lane === odd ? inks.spark : lane % 2 ? inks.second : inks.main
    drawn += line(`M${n(x - r)} 620V${n(y)}A${n(r)} ${n(r)} 0 0 1 ${n(x)} ${n(y - r)}H820`, colour, width)
  }
  return turned(random, drawn + disc(x + 20, y + 20, width * 0.9, inks.spark))
}

/** Twelve tiles of quarter, half and whole discs. */
export const tiles: Drawing = ({ inks, random }) => {
  const colours = [inks.main, inks.second, inks.main, inks.second, inks.main]
  const sparkAt = Math.floor(random() * 12)
  let drawn = ''
  for (let k = 0; k < 12; k++) {
    const x = (k % 4) * 200
    const y = Math.floor(k / 4) * 200
    const colour = k === sparkAt ? inks.spark : pick(random, colours)
    const turn = `transform="rotate(${Math.floor(random() * 4) * 90} ${x + 100} ${y + 100})"`
    const kind = k === sparkAt ? 0.96 : random()
    if (kind < 0.42)
      drawn += `<path ${turn} d="M${x} ${y}h200a200 200 0 0 1-200 200Z" fill="${colour}" stroke="${colour}"/>`
    else if (kind < 0.62)
      drawn += `<path ${turn} d="M${x} ${y}a100 100 0 0 0 200 0Zm0 100a100 100 0 0 0 200 0Z" fill="${colour}" stroke="${colour}"/>`
    else if (kind < 0.76)
      drawn += `<path ${turn} d="M${x} ${y}h200a200 200 0 0 1-200 200v-66a134 134 0 0 0 134-134h-67a67 67 0 0 1-67 67Z" fill="${colour}" stroke="${colour}"/>`
    else if (kind < 0.9)
      drawn +=
        `<path ${turn} d="M${x} ${y}h200v200h-200Z" fill="${colour}" stroke="${colour}"/>` +
        disc(x + 100, y + 100, 58, inks.ground)
    else drawn += disc(x + 100, y + 100, 84, colour)
  }
  return `<g stroke-width="1" shape-rendering="geometricPrecision">${drawn}</g>`
}

/** A record, close up, with its arm. */
export const record: Drawing = ({ inks, random }) => {
  const x = between(random, 470, 560)
  const y = between(random, 260, 340)
  const grooves = [330, 288, 246, 204].map(
    (r) => `<circle cx="${n(x)}" cy="${n(y)}" r="${r}" fill="none" stroke="${inks.ground}" stroke-width="5"/>`,
  )
  return turned(
    random,
    disc(x, y, 372, inks.main) +
      grooves.join('') +
      disc(x, y, 150, inks.spark) +
      shape(`M${n(x - 150)} ${n(y)}a150 150 0 0 0 300 0Z`, inks.second) +
      disc(x, y, 20, inks.ground) +
      line(`M70 -10V300L${n(x - 245)} ${n(y + 120)}`, inks.second, 26) +
      disc(70, 70, 46, inks.second),
  )
}

/** Rings cut in two and moved by one ring. */
export const shiftedRings: Drawing = ({ inks, random }) => {
  const step = pick(random, [52, 64, 76])
  const upright = random() < 0.5
  const count = Math.ceil(500 / step)
  let halves = ''
  for (const side of [0, 1]) {
    const cy = 300 + (side ? step : -step) * 0.5
    for (let k = count; k > 0; k--) {
      const r = k * step
      const colour = k === 1 ? inks.spark : [inks.main, inks.ground, inks.second, inks.ground][(k + side * 2) % 4]!
      halves += shape(`M400 ${n(cy - r)}a${r} ${r} 0 0 ${side} 0 ${2 * r}Z`, colour)
    }
  }
  return upright ? halves : `<g transform="rotate(90 400 300)">${halves}</g>`
}

/** Lines of sound with one hill that runs through all of them. */
export const soundHill: Drawing = ({ inks, random }) => {
  const rows = pick(random, [9, 11, 13])
  const step = 620 / rows
  const centre = between(random, 260, 540)
  const odd = Math.floor(between(random, rows * 0.4, rows * 0.75))
  let drawn = ''
  for (let row = 0; row < rows; row++) {
    const y = 70 + row * step
    const hill = step * (1.1 + 2.4 * Math.sin((row / (rows - 1)) * Math.PI))
    const at = centre + 90 * Math.sin(row * 0.7)
    const d = `M-10 ${n(y)}H${n(at - 210)}c70 0 70-${n(hill)} 120-${n(hill)}s40 ${n(hill * 0.7)} 90 ${n(hill * 0.7)}s40-${n(hill * 0.5)} 90-${n(hill * 0.5)}s50 ${n(hill * 0.8)} 120 ${n(hill * 0.8)}H810`
    drawn +=
      shape(`${d}V${n(y + step * 0.62)}H-10Z`, inks.ground) +
      line(d, row === odd ? inks.spark : row % 3 === 2 ? inks.second : inks.main, step * 0.36)
  }
  return drawn
}

/** Rays from the lower edge around half a disc. */
export const rays: Drawing = ({ inks, random }) => {
  const x = pick(random, [200, 400, 600, 400])
  const count = pick(random, [9, 11, 15])
  const wedge = Math.PI / count
  let drawn = ''
  for (let k = 0; k < count; k += 2) {
    const [a, b] = [Math.PI + k * wedge, Math.PI + (k + 1) * wedge]
    drawn += shape(
      `M${x} 520L${n(x + 1100 * Math.cos(a))} ${n(520 + 1100 * Math.sin(a))}L${n(x + 1100 * Math.cos(b))} ${n(520 + 1100 * Math.sin(b))}Z`,
      inks.main,
    )
  }
  return (
    drawn +
    disc(x, 520, 236, inks.ground) +
    disc(x, 520, 196, inks.spark) +
    rect(0, 520, 800, 80, inks.second) +
    line(waves(560, 50, 34), inks.ground, 10)
  )
}

/** The old bridge with its chapel. */
export const bridge: Drawing = ({ inks, random }) => {
  const span = pick(random, [200, 266])
  const shift = between(random, -span, 0)
  const deck = between(random, 250, 290)
  let arches = ''
  for (let x = shift; x < 800; x += span) {
    const r = span * 0.4
    arches += shape(
      `M${n(x + span / 2 - r)} 600V${n(deck + 60 + r)}a${n(r)} ${n(r)} 0 0 1 ${n(2 * r)} 0V600Z`,
      inks.ground,
    )
  }
  const pier = shift + span * (shift + span > 160 ? 1 : 2)
  const chapel =
    shape(`M${n(pier - 34)} ${n(deck + 4)}v-70l34-58 34 58v70Z`, inks.main) +
    shape(`M${n(pier - 11)} ${n(deck)}v-34a11 11 0 0 1 22 0v34Z`, inks.spark)
  const water = [486, 526, 566].map((y, row) => line(waves(y, 66, 30, row * -33), inks.ground, 9))
  const moon = disc(pier > 400 ? 190 : 610, 150, between(random, 76, 96), inks.spark)
  return (
    moon + rect(0, deck, 800, 360, inks.main) + arches + chapel + rect(0, 456, 800, 144, inks.second) + water.join('')
  )
}

/** Dots of a coarse screen that swell like a wave. */
export const halftone: Drawing = ({ inks, random }) => {
  const step = 67
  const bend = between(random, 0.5, 1.1)
  const phase = random() * 6
  const sparkAt = Math.floor(between(random, 30, 80))
  let drawn = ''
  for (let k = 0; k < 108; k++) {
    const column = k % 12
    const row = Math.floor(k / 12)
    const swell = 0.5 + 0.5 * Math.sin(column * bend * 0.8 + Math.sin(row * 0.55 + phase) * 1.8 + phase)
    const colour = k === sparkAt ? inks.spark : swell > 0.62 ? inks.main : inks.second
    drawn += disc(31 + column * step, 32 + row * step, k === sparkAt ? 33 : 7 + 25 * swell, colour)
  }
  return drawn
}

/** A flower of lenses, cut by the edge. */
export const rosette: Drawing = ({ inks, random }) => {
  const x = pick(random, [270, 400, 530])
  const y = pick(random, [240, 300, 360])
  const count = pick(random, [8, 10, 12])
  const petals = (length: number, width: number, colour: string, offset: number) =>
    Array.from(
      { length: count },
      (_, k) =>
        `<path transform="rotate(${n((360 / count) * (k + offset))} ${x} ${y})" d="M${x} ${y}c${n(width)} ${n(-length * 0.35)} ${n(width)} ${n(-length * 0.8)} 0 ${-length}c${n(-width)} ${n(length * 0.2)} ${n(-width)} ${n(length * 0.65)} 0 ${length}Z" fill="${colour}" stroke="${inks.ground}" stroke-width="6"/>`,
    ).join('')
  return (
    petals(470, 1300 / count, inks.second, 0.5) + petals(340, 1060 / count, inks.main, 0) + disc(x, y, 78, inks.spark)
  )
}

/** Two discs printed over each other and one line of water through both. */
export const overprint: Drawing = ({ inks, random }) => {
  const r = between(random, 190, 225)
  const apart = between(random, 110, 150)
  const half = Math.sqrt(r * r - apart * apart)
  const tilt = pick(random, [-24, 0, 24, 90])
  const lens = `M400 ${n(300 - half)}A${n(r)} ${n(r)} 0 0 1 400 ${n(300 + half)}A${n(r)} ${n(r)} 0 0 1 400 ${n(300 - half)}Z`
  return (
    `<g transform="rotate(${tilt} 400 300)">${disc(400 - apart, 300, r, inks.main)}${disc(400 + apart, 300, r, inks.spark)}${shape(lens, inks.second)}</g>` +
    line(waves(between(random, 290, 340), 66, 62), inks.ground, 20)
  )
}

/** Stripes that change their colour inside a disc. */
export const strings: Drawing = ({ inks, random }) => {
  const step = pick(random, [40, 50, 62])
  const x = between(random, 280, 520)
  const r = between(random, 190, 230)
  let outside = ''
  let inside = ''
  for (let left = 0; left < 800; left += step) {
    outside += `M${left} 0h${step / 2}v600h-${step / 2}Z`
    const top = 300 - r
    inside += `M${left + step / 2} ${n(top)}h${step / 2}v${n(2 * r)}h-${step / 2}Z`
  }
  const clip = `<clipPath id="d"><circle cx="${n(x)}" cy="300" r="${n(r)}"/></clipPath>`
  const drawn =
    clip +
    shape(outside, inks.main) +
    disc(x, 300, r, inks.spark) +
    `<g clip-path="url(#d)">${shape(inside, inks.second)}</g>`
  return random() < 0.5
    ? drawn
    : `<g transform="translate(400 300) rotate(90) scale(1.34) translate(-400 -300)">${drawn}</g>`
}

/** The category's glyph before a disc as large as the sheet, up to its knees in water. */
export const glyph: Drawing = ({ inks, random, category }) => {
  const size = between(random, 21, 23.5)
  const x = pick(random, [90, 130, 200])
  const water = between(random, 474, 510)
  return (
    disc(x + 12 * size + pick(random, [-190, 190]), between(random, 200, 290), between(random, 170, 215), inks.spark) +
    `<path transform="translate(${x} ${n(292 - 12 * size)}) scale(${fixed(size, 1)})" d="${glyphPaths[category]}" fill="${inks.main}" fill-rule="evenodd"/>` +
    shape(`${waves(water, 80, 50)}V600H-160Z`, inks.second) +
    line(waves(water + 48, 80, 50), inks.ground, 10)
  )
}

/** A big initial that dissolves in the water below it. */
export const initial: Drawing = ({ inks, random, initial: letter }) => {
  const [advance, path] = letters[letter] ?? letters['R']!
  const scale = Math.min(0.86, 700 / advance)
  const x = 400 - (advance * scale) / 2 + between(random, -70, 70)
  const sun = disc(x > 170 ? 130 : 670, between(random, 120, 200), between(random, 80, 110), inks.spark)
  const ripples = [0, 1, 2, 3].map((row) => line(waves(392 + row * 54, 66, 26, row * -33), inks.ground, 8 + row * 7))
  return (
    sun +
    `<path transform="translate(${n(x)} 585) scale(${fixed(scale, 2)} -${fixed(scale, 2)})" d="${path}" fill="${inks.main}"/>` +
    ripples.join('') +
    line(waves(340, 66, 26), inks.second, 12)
  )
}
