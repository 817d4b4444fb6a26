import { addresseeOf } from '../../accounts/server/accounts.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { queueMail, type QueuedMail } from '../../mail/server/mail.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { page } from '../../site-map.ts'
import type { CaseRoom } from './room.ts'

/** An undo within this time leaves nothing to tell. */
export const tellAfterS = 20

/** Whether a mail can go to who is concerned. */
export async function isMailed(db: Sql, accountId: string | null | undefined): Promise<boolean> {
  return Boolean(accountId && (await addresseeOf(db, accountId)))
}

/** Something that staff hide and bring back, locked, and whom that concerns. */
interface Hidden {
  isHidden: boolean
  /** Whether they were told last that it is hidden. */
  told: boolean
  setTold: () => Promise<void>
  /** Null: nobody. */
  accountId: string | null
  /** In the bell of a merchant; null: by mail alone. */
  notice: { type: string; about: string; values: Record<string, string> } | null
  mail: { kind: string; data: Record<string, string> }
}

/** Tells once that something is hidden, and once that it is back. What was undone meanwhile is not told. */
export async function tellOnce(room: CaseRoom, find: (trx: Sql) => Promise<Hidden | null>): Promise<void> {
  await room.db.transaction().execute(async (trx) => {
    const found = await find(trx)
    if (!found || found.told === found.isHidden) return
    await found.setTold()
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

/** The mail about it; its texts stand under `mails.<text>`. Null where the person is gone. */
export async function composeNews(
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
    /** By the kind of account that it goes to. */
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
