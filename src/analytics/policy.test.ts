import { expect, it } from 'vitest'
import { missingTier } from './policy.ts'

it.each([
  ['FREE', 'charts', 'PREMIUM'],
  ['FREE', 'exports', 'PREMIUM'],
  ['PREMIUM', 'charts', null],
  ['PREMIUM', 'exports', 'ULTIMATE'],
  ['PREMIUM', 'whatIf', 'ULTIMATE'],
  ['ULTIMATE', 'exports', null],
  ['ULTIMATE', 'whatIf', null],
] as const)('a merchant with %s who asks for %s lacks the tier %s', (tier, need, missing) => {
  expect(missingTier(tier, need)).toBe(missing)
})
