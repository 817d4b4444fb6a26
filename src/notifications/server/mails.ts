import { addresseeOf } from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { queueMail, type MailKinds } from '../../mail/server/mail.ts'
import { nameInMail } from '../../kit/server/mail-names.ts'
import { page } from '../../site-map.ts'
import { textOf, type NotificationRoom } from './room.ts'
import * as store from './store.ts'

const accountsAtOnce = 200
/** A mail lists no more notifications; its subject counts all. */
const listedAtMost = 20

/** Queues one mail for each person with due notifications. Run every minute, by any instance. */
export async function queueDueMails(room: NotificationRoom): Promise<void> {
  const now = asDate(room.clock.now())
  let accounts: string[]
  do {
    accounts = await store.accountsToMail(room.db, { now, zone: room.zone }, accountsAtOnce)
    for (const accountId of accounts)
      await room.db.transaction().execute(async (trx) => {
        const batch = newId()
        if ((await store.takeForMail(trx, accountId, batch, now)) === 0) return
        const addressee = await addresseeOf(trx, accountId)
        if (!addressee) return
        const to = { accountId, locale: addressee.language, origin: room.origin }
        await queueMail(room, trx, { kind: 'notifications', ...to, data: { batch } })
      })
  } while (accounts.length === accountsAtOnce)
}

/** Names and titles that other people chose must not become links (decision 12). */
const withoutLinks = <Values extends object>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? nameInMail(value) : value]),
  ) as Values

export function notificationMails(room: NotificationRoom): MailKinds {
  return {
    notifications: {
      async compose({ account_id: accountId, locale, origin, data }) {
        const to = accountId ? await addresseeOf(room.db, accountId) : null
        const rows = data['batch']
          ? await store.unreadOfMail(room.db, data['batch'], asDate(room.clock.now()), listedAtMost)
          : []
        // All read or expired in the meantime, or the account is gone.
        if (!to || rows.length === 0) return null
        const say = (key: string) =>
          room.texts.say(locale, `mails.${key}`, {
            festival: room.festivalName,
            kind: to.kind,
            name: to.name,
            count: rows[0]!.total,
          })
        const lines = rows.map((row) => textOf(room, { ...row, values: withoutLinks(row.values) }, locale))
        const only = rows.length === 1 ? rows[0]! : null
        return {
          to: to.email,
          subject: only ? lines[0]! : say('notifications.subject'),
          greeting: say('greeting'),
          paragraphs: lines,
          button: { label: say('notifications.button'), url: origin + (only?.path ?? page.notifications) },
          footer: say('notifications.footer'),
        }
      },
    },
  }
}
