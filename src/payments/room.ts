import type { Sql } from '../kit/server/database.ts'
import type { House, Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import { fillDemoPayments } from './demo/demo-payments.ts'
import { endSubscription, forgetOld, reconcile, renewTestSubscriptions } from './server/background.ts'
import { keepsPayments } from './server/keeping.ts'
import { paymentMails, tellPaused } from './server/mails.ts'
import type { Provider } from './server/provider.ts'
import type { PaymentRoom, PaymentSettings } from './server/room.ts'
import { paymentOperations } from './server/routes.ts'
import { closeForgotten, closePage, settleLeaving } from './server/payments.ts'
import { settleWish } from './server/signup.ts'
import { closeForgottenJob, closePageJob, endRefundedJob, endWhatEnded, settleLeavingJob } from './server/stand.ts'
import { stripeProvider } from './server/stripe-provider.ts'
import { testProvider, type TestProvider } from './server/test-provider.ts'

/** Stripe keeps its connections and prices; the test provider is made over the transaction in which it works. */
function providerOf(settings: PaymentSettings, { clock, keyring }: Pick<House, 'clock' | 'keyring'>) {
  const stripe = settings.provider === 'stripe' && settings.stripe ? stripeProvider(settings.stripe) : null
  return (db: Sql): Provider | TestProvider | null =>
    settings.provider === 'test' ? testProvider({ db, clock, keyring, alwaysCheckout: settings.testCheckout }) : stripe
}

export const payments: Room<PaymentRoom> = {
  name: 'payments',
  looksInto: ['accounts', 'businesses', 'mail', 'views'],
  open: ({ db, clock, jobs, keyring, log, complain, texts, publishFact, settings: { payments: settings }, site }) => ({
    db,
    clock,
    jobs,
    log,
    complain,
    texts,
    publishFact,
    settings,
    festivalName: site.name,
    origin: site.origin,
    zone: site.zone,
    provider: providerOf(settings, { clock, keyring }),
  }),
  operations: paymentOperations,
  jobs: (own) => ({
    'renew-test-subscriptions': { cron: '* * * * *', run: () => renewTestSubscriptions(own) },
    'end-paid-tiers': { cron: '* * * * *', run: () => endWhatEnded(own) },
    'reconcile-payments': { cron: '40 4 * * *', run: async () => void (await reconcile(own)) },
    'forget-old-payments': { cron: '50 4 * * *', run: () => forgetOld(own) },
    [settleLeavingJob]: { untilDone: true, run: ({ business }) => settleLeaving(own, String(business)) },
    [closePageJob]: { untilDone: true, run: ({ business }) => closePage(own, String(business)) },
    [closeForgottenJob]: {
      untilDone: true,
      run: ({ business, session, provider }) =>
        closeForgotten(own, {
          businessId: String(business),
          sessionId: String(session),
          providerName: String(provider),
        }),
    },
    [endRefundedJob]: { untilDone: true, run: ({ subscription }) => endSubscription(own, String(subscription)) },
  }),
  // a job of its own, which tries for as long as the provider is away
  onFacts: (own) => ({
    'business-suspended': ({ business_id }) => own.jobs.enqueue(own.db, closePageJob, { business: business_id }),
    'business-leaving': ({ business_id }) => own.jobs.enqueue(own.db, closePageJob, { business: business_id }),
  }),
  demo: fillDemoPayments,
  privatePages: [page.upgrade, '/upgrade$', page.promote, page.invoices, '/test-checkout/', '/invoice/'],
  answers: (own) => ({
    personalData: keepsPayments(own),
    mails: paymentMails(own),
    dealsPaused: (trx, paused) => tellPaused(own, trx, paused),
    businessSignedUp: (trx, business) => settleWish(own, trx, business),
  }),
}
