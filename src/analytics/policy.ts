import type { Tier } from '../businesses/contract.ts'

/** The figures of their deals that merchants see, by tier; FREE has only the three figures of the dashboard. */
export const figuresOfTier = {
  FREE: { charts: false, exports: false, whatIf: false },
  PREMIUM: { charts: true, exports: false, whatIf: false },
  ULTIMATE: { charts: true, exports: true, whatIf: true },
} as const satisfies Record<Tier, { charts: boolean; exports: boolean; whatIf: boolean }>

/** The tier that a merchant needs first for these figures; null: they see them. */
export function missingTier(tier: Tier, need: 'charts' | 'exports' | 'whatIf'): 'PREMIUM' | 'ULTIMATE' | null {
  const may = figuresOfTier[tier]
  if (!may.charts) return 'PREMIUM'
  return may[need] ? null : 'ULTIMATE'
}
