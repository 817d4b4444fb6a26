import type { PersonalData } from '../../accounts/server/accounts.ts'
import { dealsForFigures } from '../../deals/server/deals.ts'
import * as store from './store.ts'

/** Figures of a merchant's deals; they go with the deals. Of visitors nothing is kept. */
export const keepsAnalytics: PersonalData = {
  async everythingOf(db, { businessId }) {
    const deals = businessId ? await dealsForFigures(db, businessId, 10_000) : []
    const ids = deals.map(({ deal_id }) => deal_id)
    return { analytics_hours: ids.length > 0 ? await store.everythingOf(db, ids) : [] }
  },
  hasContent: async () => false,
  forget: async () => {},
}
