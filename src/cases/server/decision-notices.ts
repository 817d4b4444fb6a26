import { addresseeOf } from '../../accounts/server/accounts.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { queueMail, type QueuedMail } from '../../mail/server/mail.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { page } from '../../site-map.ts'
import type { CaseRoom } from './room.ts'

/** People concerned are notified this late: a decision that is undone before then is never announced. */
export const noticeDelayS = 20

/** Whether the account exists and has a confirmed address. */
export async function canBeMailed(db: Sql, accountId: string | null | undefined): Promise<boolean> {
  return Boolean(accountId && (await addresseeOf(db, accountId)))
}

/** A deal, rating or business that staff hide or restore, locked, and how its owner is notified. */
interface HideableThing {
  isHidden: boolean
  /** The last notice said "hidden"; false: it said "restored", or there was none. */
  isNoticedHidden: boolean
  markNoticed: () => Promise<void>
  /** The owner; null: the account is gone. */
  accountId: string | null
  /** Notification in a merchant's bell; null: mail alone. */
  notice: { type: string; about: string; values: Record<string, string> } | null
  mail: { kind: string; data: Record<string, string> }
}

/** Notifies the owner once that the thing is hidden, or is back. Sends nothing if the decision was undone in the meantime. */
export async function sendDecisionNotice(
  room: CaseRoom,
  find: (trx: Sql) => Promise<HideableThing | null>,
): Promise<void> {
  await room.db.transaction().execute(async (trx) => {
    const found = await find(trx)
    if (!found || found.isNoticedHidden === found.isHidden) return
    await found.markNoticed()
    const { accountId, notice, mail } = found
    if (accountId === null) return
    if (notice)
      await notify(room.notifications, trx, {
        type: notice.type,
        accountIds: [accountId],
        once: `reports:${notice.about}:${newId()}`,
        values: notice.values,
        path: page.dashboard,
      })
    const to = await addresseeOf(trx, accountId)
    if (to) await queueMail(room, trx, { ...mail, accountId, locale: to.language, origin: room.origin })
  })
}

/** Composes the mail about a decision; texts under `mails.<text>`. Null: the account is gone. */
export async function composeDecisionMail(
  room: CaseRoom,
  mail: QueuedMail,
  {
    text,
    reason,
    values,
    path,
  }: {
    text: string
    reason: string | null
    /** Values of the text for this kind of account. */
    values: (kind: string) => Record<string, string>
    path: string
  },
) {
  const to = mail.account_id ? await addresseeOf(room.db, mail.account_id) : null
  if (!to) return null
  const say = (key: string) =>
    room.texts.say(mail.locale, `mails.${key}`, {
      festival: room.festivalName,
      name: to.name,
      has_reason: reason ? 'yes' : 'no',
      reason: reason ?? '',
      ...values(to.kind),
    })
  return {
    to: to.email,
    subject: say(`${text}.subject`),
    greeting: say('greeting'),
    paragraphs: say(`${text}.text`).split('\n').filter(Boolean),
    button: { label: say(`${text}.button`), url: `${mail.origin}${path}` },
    footer: say('notice'),
  }
}
