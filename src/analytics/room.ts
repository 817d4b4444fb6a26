import type { Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import { fillDemoAnalytics } from './demo/demo-analytics.ts'
import { countDealActivity, forgetBeacons, type AnalyticsRoom } from './server/analytics.ts'
import { analyticsPersonalData } from './server/personal-data.ts'
import { analyticsOperations } from './server/routes.ts'
import { ShownCounter } from './server/shown.ts'
import { views } from '../views/room.ts'

/** How often deals were shown, opened, saved, claimed and redeemed, by day, hour and deal. */
export const analytics: Room<AnalyticsRoom> = {
  name: 'analytics',
  looksInto: ['accounts', 'views', 'businesses', 'deals', 'redemptions', 'ratings'],
  open({ db, clock, site, keyring, limiter, complain, of }) {
    const shown = { db, clock, complain, limiter: limiter({ name: 'shown', points: 600, durationS: 1800 }) }
    return { ...shown, zone: site.zone, keyring, shown: new ShownCounter(shown), views: of(views) }
  },
  operations: analyticsOperations,
  serve: (app, { shown }) => void app.addHook('onClose', () => shown.close()),
  jobs: (own) => ({
    'forget-beacons': { cron: '*/10 * * * *', run: () => forgetBeacons(own) },
  }),
  demo: fillDemoAnalytics,
  privatePages: [page.dealAnalytics],
  answers: () => ({ personalData: analyticsPersonalData, countsOfDeals: countDealActivity }),
}
