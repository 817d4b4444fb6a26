import type { Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import { endSubscription, forgetOld, reconcile, renewTestSubscriptions } from './server/background.ts'
import { keepsPayments } from './server/keeping.ts'
import { paymentMails } from './server/mails.ts'
import type { PaymentRoom } from './server/room.ts'
import { paymentOperations } from './server/routes.ts'
import { settleWish } from './server/signup.ts'
import { endRefundedJob, endWhatEnded } from './server/stand.ts'
import { testProvider } from './server/test-provider.ts'

export const payments: Room<PaymentRoom> = {
  name: 'payments',
  looksInto: ['accounts', 'businesses', 'mail', 'views'],
  open: ({ db, clock, jobs, keyring, log, complain, texts, tell, settings: { payments: settings }, site }) => ({
    db,
    clock,
    jobs,
    log,
    complain,
    texts,
    tell,
    settings,
    festivalName: site.name,
    origin: site.origin,
    zone: site.zone,
    provider: (by) => {
      if (settings.provider === 'test')
        return testProvider({ db: by, clock, keyring, alwaysCheckout: settings.testCheckout })
      return null
    },
  }),
  operations: paymentOperations,
  jobs: (own) => ({
    'renew-test-subscriptions': { cron: '* * * * *', run: () => renewTestSubscriptions(own) },
    'end-paid-tiers': { cron: '* * * * *', run: () => endWhatEnded(own) },
    'reconcile-payments': { cron: '40 4 * * *', run: async () => void (await reconcile(own)) },
    'forget-old-payments': { cron: '50 4 * * *', run: () => forgetOld(own) },
    [endRefundedJob]: { untilDone: true, run: ({ subscription }) => endSubscription(own, String(subscription)) },
  }),
  privatePages: [page.upgrade, '/upgrade$', page.promote, page.invoices, '/test-checkout/', '/invoice/'],
  answers: (own) => ({
    personalData: keepsPayments(own),
    mails: paymentMails(own),
    businessSignedUp: (trx, business) => settleWish(own, trx, business),
  }),
}
