import { addresseeOf } from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { queueMail, type MailKinds } from '../../mail/server/mail.ts'
import { nameInMail } from '../../kit/server/mail-names.ts'
import { page } from '../../site-map.ts'
import { textOf, type NotificationRoom } from './room.ts'
import * as store from './store.ts'

const accountsAtOnce = 200
/** A mail tells the first of very many. */
const toldInMail = 20

/** What is due becomes mails, one for each person, all that is due in it. Run every minute, by any instance. */
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

/** Names and titles that others have chosen (decision 12). */
const withoutLinks = <Values extends object>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? nameInMail(value) : value]),
  ) as Values

/** What notifications send, for the room of mails. */
export function notificationMails(room: NotificationRoom): MailKinds {
  return {
    notifications: {
      async compose({ account_id: accountId, locale, origin, data }) {
        const to = accountId ? await addresseeOf(room.db, accountId) : null
        const rows = data['batch']
          ? await store.unreadOfMail(room.db, data['batch'], asDate(room.clock.now()), toldInMail)
          : []
        // read meanwhile, of no use any more, or the account is gone
        if (!to || rows.length === 0) return null
        const say = (key: string) =>
          room.texts.say(locale, `mails.${key}`, {
            festival: room.festivalName,
            kind: to.kind,
            name: to.name,
            // of very many only the first are told
            count: rows[0]!.total,
          })
        const told = rows.map((row) => textOf(room, { ...row, values: withoutLinks(row.values) }, locale))
        const only = rows.length === 1 ? rows[0]! : null
        return {
          to: to.email,
          subject: only ? told[0]! : say('notifications.subject'),
          greeting: say('greeting'),
          paragraphs: told,
          button: { label: say('notifications.button'), url: origin + (only?.path ?? page.notifications) },
          footer: say('notifications.footer'),
        }
      },
    },
  }
}
