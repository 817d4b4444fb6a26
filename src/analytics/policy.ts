import type { Tier } from '../businesses/contract.ts'

/** What a merchant sees of their figures, by tier. FREE: the three figures of the dashboard alone. */
export const analyticsOf: Record<Tier, { charts: boolean; exports: boolean; whatIf: boolean }> = {
  FREE: { charts: false, exports: false, whatIf: false },
  PREMIUM: { charts: true, exports: false, whatIf: false },
  ULTIMATE: { charts: true, exports: true, whatIf: true },
}
