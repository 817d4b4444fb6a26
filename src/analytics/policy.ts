import type { Tier } from '../businesses/contract.ts'

/** What a merchant sees of their figures, by tier. FREE: the three figures of the dashboard alone. */
export const analyticsOf: Record<Tier, { charts: boolean; exports: boolean }> = {
  FREE: { charts: false, exports: false },
  PREMIUM: { charts: true, exports: false },
  ULTIMATE: { charts: true, exports: true },
}
