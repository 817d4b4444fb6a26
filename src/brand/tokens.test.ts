import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast } from '../../test/contrast.ts'
import { inksOf } from './posters/poster-inks.ts'
import { categories } from './category.ts'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const themes = ['paper', 'river'] as const
const grounds = ['page', 'surface', 'well']

/** Contrast: 4.5 for text, 3 for large type, edges of controls and marks (WCAG 2.2, 1.4.3 and 1.4.11). */
const pairs: [inks: string[], grounds: string[], atLeast: number][] = [
  [['ink', 'ink-soft', 'link', 'action-text', 'lantern-text', 'moss-text', 'wine-text'], grounds, 4.5],
  [categories.map((category) => `${category}-text`), grounds, 4.5],
  [['on-deep', 'on-deep-soft'], ['deep', 'river'], 4.5],
  [['paper', 'lantern', 'on-deep'], ['river', 'night'], 4.5],
  [['on-action'], ['action', 'action-hover'], 4.5],
  [['on-lantern'], ['lantern'], 4.5],
  [['on-moss'], ['moss'], 4.5],
  [['on-wine'], ['wine'], 4.5],
  [['page'], ['ink'], 4.5],
  [['rule'], grounds, 3],
  [['coral'], ['river', 'night', 'deep'], 3],
  [['action'], ['page', 'surface'], 2.9], // marks beside words: the bar of a tab, a filled heart
  [['focus'], ['focus-edge'], 4.5],
]

function valueOf(token: string, theme: (typeof themes)[number]): string {
  const value = new RegExp(`--(?:color-)?${token}:\\s*(?!var)([^;]+);`).exec(css)?.[1]
  const both = /light-dark\((#\w+), (#\w+)\)/.exec(value ?? '')
  const colour = both ? both[theme === 'paper' ? 1 : 2] : value
  if (!colour?.startsWith('#')) throw new Error(`No colour for --${token}`)
  return colour
}

describe.each(themes)('on %s', (theme) => {
  for (const [inks, on, atLeast] of pairs)
    for (const ink of inks)
      for (const ground of on)
        it(`${ink} is readable on ${ground}`, () => {
          expect(contrast(valueOf(ink, theme), valueOf(ground, theme))).toBeGreaterThanOrEqual(atLeast)
        })

  it.each(categories)('the ink on %s is readable', (category) => {
    expect(contrast(valueOf(`on-${category}`, theme), valueOf(category, theme))).toBeGreaterThanOrEqual(4.5)
  })
})

it.each(categories)('posters of %s use the hue of the tokens', (category) => {
  expect(inksOf(category, 0).ground).toBe(valueOf(category, 'paper'))
})
