import { deals } from '../deals/room.ts'
import type { Room } from '../kit/server/room.ts'
import { notifications } from '../notifications/room.ts'
import { page } from '../site-map.ts'
import {
  countBusinessSavers,
  forgetRemovals,
  notifyOfNewDeal,
  notifyOfFreedDeal,
  savedBusinesses,
  withdrawDeal,
  withdrawHidden,
  type FavoriteRoom,
} from './server/favorites.ts'
import { favoritePersonalData } from './server/personal-data.ts'
import { favoriteOperations } from './server/routes.ts'
import { businessFacts } from '../businesses/contract.ts'
import { dealFacts } from '../deals/contract.ts'

/** Deals, merchants and performers that somebody saved, news of saved merchants, and saved deals that are available again. */
export const favorites: Room<FavoriteRoom> = {
  name: 'favorites',
  looksInto: ['accounts', 'notifications', 'businesses', 'events', 'deals'],
  open: (house) => ({
    ...house.of(deals),
    notifications: house.of(notifications),
    // the room above opens later
    async count(trx, happened) {
      for (const count of house.answersTo('countsOfDeals')) await count(trx, happened)
    },
  }),
  operations: favoriteOperations,
  jobs: (own) => ({ 'forget-favorite-removals': { cron: '50 4 * * *', run: () => forgetRemovals(own) } }),
  onFacts: (own) => ({
    [dealFacts.published]: (data) => notifyOfNewDeal(own, String(data['deal_id'])),
    [dealFacts.hidden]: (data) => withdrawDeal(own, String(data['deal_id']), String(data['business_id'])),
    [businessFacts.suspended]: (data) => withdrawHidden(own, String(data['business_id'])),
    [businessFacts.leaving]: (data) => withdrawHidden(own, String(data['business_id'])),
    [dealFacts.freed]: (data) => notifyOfFreedDeal(own, String(data['deal_id']), String(data['once'])),
  }),
  privatePages: [page.favorites],
  answers: (own) => ({
    businessesInUse: savedBusinesses,
    countBusinessSavers,
    personalData: favoritePersonalData(own),
    notificationTypes: {
      deal_published: { roles: ['user', 'moderator', 'admin'], channels: ['in_app'], mailAfterMinutes: 30 },
      deal_freed: { roles: ['user', 'moderator', 'admin'], channels: ['in_app', 'push'], mailAfterMinutes: 1 },
    },
  }),
}
