import type { PersonalData } from '../../accounts/server/accounts.ts'
import { dealsForFigures } from '../../deals/server/deals.ts'
import * as store from './store.ts'

/** The figures of a merchant's deals, deleted with the deals. Nothing is stored about single visitors. */
export const analyticsPersonalData: PersonalData = {
  async exportOf(db, { businessId }) {
    const deals = businessId ? await dealsForFigures(db, businessId, 10_000) : []
    const ids = deals.map(({ deal_id }) => deal_id)
    return { analytics_hours: ids.length > 0 ? await store.exportOf(db, ids) : [] }
  },
  hasContent: async () => false,
  forget: async () => {},
}
