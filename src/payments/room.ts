import type { Sql } from '../kit/server/database.ts'
import type { House, Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import { fillDemoPayments } from './demo/demo-payments.ts'
import { endSubscription, deleteOldRecords, reconcile, renewTestSubscriptions } from './server/background.ts'
import { paymentPersonalData } from './server/personal-data.ts'
import { paymentMails, queuePausedMail } from './server/mails.ts'
import type { Provider } from './server/provider.ts'
import type { PaymentRoom, PaymentSettings } from './server/room.ts'
import { paymentOperations } from './server/routes.ts'
import { closeCheckoutOfDeleted, closeCheckoutOfBarred, settleLeaving } from './server/payments.ts'
import { settleSignupPlan } from './server/signup.ts'
import {
  closeDeletedJob,
  closeCheckoutJob,
  endRefundedJob,
  endExpiredTiers,
  settleLeavingJob,
} from './server/apply-standing.ts'
import { stripeProvider } from './server/stripe-provider.ts'
import { testProvider, type TestProvider } from './server/test-provider.ts'
import { businessFacts } from '../businesses/contract.ts'

/** One Stripe provider, which caches connections and prices; a new test provider for each database or transaction that it works in. */
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
    'end-paid-tiers': { cron: '* * * * *', run: () => endExpiredTiers(own) },
    'reconcile-payments': { cron: '40 4 * * *', run: async () => void (await reconcile(own)) },
    'forget-old-payments': { cron: '50 4 * * *', run: () => deleteOldRecords(own) },
    [settleLeavingJob]: { untilDone: true, run: ({ business }) => settleLeaving(own, String(business)) },
    [closeCheckoutJob]: { untilDone: true, run: ({ business }) => closeCheckoutOfBarred(own, String(business)) },
    [closeDeletedJob]: {
      untilDone: true,
      run: ({ business, session, provider }) =>
        closeCheckoutOfDeleted(own, {
          businessId: String(business),
          sessionId: String(session),
          providerName: String(provider),
        }),
    },
    [endRefundedJob]: { untilDone: true, run: ({ subscription }) => endSubscription(own, String(subscription)) },
  }),
  // A job, because it is retried for as long as the provider is down.
  onFacts: (own) => ({
    [businessFacts.suspended]: ({ business_id }) =>
      own.jobs.enqueue(own.db, closeCheckoutJob, { business: business_id }),
    [businessFacts.leaving]: ({ business_id }) => own.jobs.enqueue(own.db, closeCheckoutJob, { business: business_id }),
  }),
  demo: fillDemoPayments,
  privatePages: [page.upgrade, '/upgrade$', page.promote, page.invoices, '/test-checkout/', '/invoice/'],
  answers: (own) => ({
    personalData: paymentPersonalData(own),
    mails: paymentMails(own),
    dealsPaused: (trx, paused) => queuePausedMail(own, trx, paused),
    businessSignedUp: (trx, business) => settleSignupPlan(own, trx, business),
  }),
}
