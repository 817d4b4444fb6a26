import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast } from '../../test/contrast.ts'
import { mapInks, type MapInks } from './inks.ts'

const css = readFileSync(new URL('../brand/tokens.css', import.meta.url), 'utf8')

/** The value of a token by day and by night. */
function token(name: string): { paper: string; river: string } {
  const value = new RegExp(`--(?:color-)?${name}:\\s*(?!var)([^;]+);`).exec(css)?.[1]
  const both = /light-dark\((#\w+), (#\w+)\)/.exec(value ?? '')
  if (both) return { paper: both[1]!, river: both[2]! }
  if (!value?.startsWith('#')) throw new Error(`No colour for --${name}`)
  return { paper: value, river: value }
}

describe.each(['paper', 'river'] as const)('the map on %s', (theme) => {
  const inks = mapInks[theme]

  it.each([
    ['premium', 'lantern'],
    ['onPremium', 'on-lantern'],
    ['place', 'ink'],
    ['name', 'ink-soft'],
  ] as const)('%s is the token %s', (ink, name) => {
    expect(inks[ink]).toBe(token(name)[theme])
  })

  it('has the paper of the page, and the river’s colour by day', () => {
    if (theme === 'paper') expect([inks.city, inks.river]).toEqual([token('page').paper, token('water').paper])
  })

  // WCAG 1.4.11: 3:1 between a graphic and its ground (for a pin, its rim)
  const grounds: (keyof MapInks)[] = ['city', 'ground', 'park', 'street']
  it.each([
    ...grounds.map((ground) => ['pinRim', ground] as const),
    ...grounds.map((ground) => ['cluster', ground] as const),
    ['own', 'city'],
    ['own', 'ground'],
    ['onCluster', 'cluster'],
    ['onPremium', 'premium'],
    ['onMerchant', 'merchant'],
    ['pinRim', 'river'],
    ['riverName', 'river'],
  ] as const)('%s can be distinguished from %s', (one, other) => {
    expect(contrast(inks[one], inks[other])).toBeGreaterThanOrEqual(3)
  })

  it.each([
    ['name', 'halo'],
    ['place', 'halo'],
    ['stop', 'halo'],
    ['parkName', 'halo'],
    ['quarter', 'halo'],
  ] as const)('%s is readable on its %s', (one, other) => {
    expect(contrast(inks[one], inks[other])).toBeGreaterThanOrEqual(4.5)
  })
})
