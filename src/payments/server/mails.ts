import { isConfirmationQueued, ownerOfBusiness } from '../../accounts/server/accounts.ts'
import type { Sql } from '../../kit/server/database.ts'
import { nameInMail } from '../../kit/server/mail-names.ts'
import { queueMail, type MailKinds, type QueuedMail } from '../../mail/server/mail.ts'
import { invoicePage, page } from '../../site-map.ts'
import { overdueDays } from '../policy.ts'
import { invoiceNumber, isDeducted } from './invoices.ts'
import type { PaymentRoom } from './room.ts'
import * as store from './store.ts'
import { dateText, wallIn } from '../../kit/shared/calendar.ts'
import { chfFromRappen } from '../../kit/shared/money.ts'
import { francs } from '../../kit/shared/numbers.ts'

const paymentMailNames = ['invoice', 'overdue', 'ended', 'paused'] as const
type PaymentMail = (typeof paymentMailNames)[number]

/**
 * Queues a mail to the owner of a business in the caller's transaction. Its job looks up recipient and language, as during a signup
 * there is no account yet.
 */
export function queuePaymentMail(
  room: Pick<PaymentRoom, 'clock' | 'jobs' | 'origin'>,
  trx: Sql,
  { what, businessId, more }: { what: PaymentMail; businessId: string; more?: Record<string, string> },
): Promise<void> {
  const data = { what, business: businessId, ...more }
  return queueMail(room, trx, { kind: 'payment_news', locale: 'en', origin: room.origin, data })
}

/** Queues the mail about deals that were paused because the tier allows fewer. @param n how many; `names` may hold only the first */
export function queuePausedMail(
  room: Pick<PaymentRoom, 'clock' | 'jobs' | 'origin'>,
  trx: Sql,
  paused: { businessId: string; tier: string; places: number; n: number; names: string[] },
): Promise<void> {
  const { businessId, tier, places, n, names } = paused
  const more = { tier, places: String(places), n: String(n), deals: JSON.stringify(names) }
  return queuePaymentMail(room, trx, { what: 'paused', businessId, more })
}

/** Seconds after which a mail that waits for the confirmation mail looks again. */
const confirmationLeadS = 5

export function paymentMails(room: PaymentRoom): MailKinds {
  return {
    payment_news: {
      async expand({ data, origin }) {
        const owner = await ownerOfBusiness(room.db, data['business']!)
        const what = paymentMailNames.find((each) => each === data['what'])
        if (!owner || !what) return []
        // the first mail to a new business asks to confirm its address, and is no invoice
        if (await isConfirmationQueued(room.db, owner)) {
          const again = { kind: 'payment_news', locale: 'en', origin, data, afterS: confirmationLeadS }
          return [(trx) => queueMail(room, trx, again)]
        }
        const mail = { accountId: owner.account_id, locale: owner.language, origin, data }
        return [(trx) => queueMail(room, trx, { kind: `payment_${what}`, ...mail })]
      },
    },
    ...Object.fromEntries(
      paymentMailNames.map((what) => [`payment_${what}`, { compose: (mail: QueuedMail) => compose(room, what, mail) }]),
    ),
  }
}

async function compose(room: PaymentRoom, what: PaymentMail, mail: QueuedMail) {
  const owner = await ownerOfBusiness(room.db, mail.data['business']!)
  const invoice = mail.data['invoice'] ? await store.findInvoice(room.db, mail.data['invoice']) : undefined
  if (!owner || (what === 'invoice' && !invoice)) return null
  const named = JSON.parse(mail.data['deals'] ?? '[]') as string[]
  const day = (at: string | undefined) => (at ? dateText(mail.locale, wallIn(room.zone, Date.parse(at))) : '')
  const say = (key: string) =>
    room.texts.say(mail.locale, `mails.${key}`, {
      festival: room.festivalName,
      name: nameInMail(owner.display_name),
      kind: 'business',
      days: overdueDays,
      tier: mail.data['tier'] ?? '',
      places: Number(mail.data['places'] ?? 0),
      n: Number(mail.data['n'] ?? 0),
      deals: named.map(nameInMail).join(' · '),
      more: Number(mail.data['n'] ?? 0) - named.length,
      what: invoice?.what === 'promotion' ? 'promotion' : `${invoice?.tier ?? 'none'}_${invoice?.interval ?? 'none'}`,
      number: invoice ? invoiceNumber(invoice) : '',
      amount: invoice ? francs(chfFromRappen(invoice.amount_rappen)) : '',
      vat: invoice && invoice.vat_rate !== null ? francs(chfFromRappen(invoice.vat_rappen)) : '',
      deducted: invoice && isDeducted(invoice) ? 'yes' : 'no',
      rate: invoice?.vat_rate ?? 0,
      vat_id: invoice?.vat_id ?? '',
      has_vat: invoice && invoice.vat_rate !== null ? 'yes' : 'no',
      issuer: invoice?.issuer ?? '',
      billed_to: invoice ? nameInMail(invoice.billed_to.replaceAll('\n', ', ')) : '',
      date: day(invoice?.paid_at),
      from: day(invoice?.period_start),
      until: day(invoice?.period_end),
    })
  const ways: Record<PaymentMail, string> = {
    invoice: invoice ? invoicePage(invoice.invoice_id) : page.dashboard,
    overdue: page.dashboard,
    ended: page.upgrade,
    paused: page.dashboard,
  }
  return {
    to: owner.email,
    subject: say(`payment_${what}.subject`),
    greeting: say('greeting'),
    paragraphs: say(`payment_${what}.text`).split('\n').filter(Boolean),
    button: { label: say(`payment_${what}.button`), url: `${mail.origin}${ways[what]}` },
    footer: say('payment'),
  }
}
