import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { pageByTime, type Page, type PageQuery } from '../../kit/server/page.ts'
import { personalChannel, publish } from '../../live/server/live.ts'
import { retentionDays, unreadAtMost, type Notification } from '../contract.ts'
import { sendPushesJob } from './push.ts'
import { textOf, type NotificationRoom } from './room.ts'
import * as store from './store.ts'

export { notificationSettingsOf, changeSettings } from './settings.ts'
export { notificationMails, queueDueMails } from './mails.ts'
export { accountsWithDevices } from './store.ts'
export { sendDuePushes, sendPushesJob, subscribe, unsubscribe } from './push.ts'
export { openPushKeys, sealPushKeysAnew } from './push-keys.ts'
export { notificationPersonalData } from './personal-data.ts'
export type { NotificationRoom, NotificationType } from './room.ts'

export interface Notice {
  /** As a manifest declares it in `notificationTypes`. */
  type: string
  accountIds: readonly string[]
  /** Each account gets a notification with this key once, however often the rule runs: `<room>:<id>:…`, at most 200 characters. */
  once: string
  /** Unread notifications of a group are shown as one with a count (`{count}` in its text). Default: no grouping. */
  group?: string
  /** For the text `notices.<type>.text`; times formatted, such as "20:10". */
  values: Record<string, string | number>
  /** Values that differ for some accounts, by account id. */
  ownValues?: ReadonlyMap<string, Record<string, string | number>>
  /** The page that shows it, such as `/deal/…`. */
  path: string
  /** Account of the person in `values.name`: the name is removed when that account is deleted. */
  about?: string | null
  /** After this no mail or push is sent; the list in the app still shows it. */
  goodUntil?: Temporal.Instant
}

const accountsAtOnce = 500

/**
 * Sends a notification in the transaction of the change, by the channels that each person chose.
 * @throws an Error for a type that no room declares
 */
export async function notify(
  room: Pick<NotificationRoom, 'clock' | 'jobs' | 'live' | 'types'>,
  trx: Sql,
  notice: Notice,
): Promise<void> {
  const type = room.types[notice.type]
  if (!type) throw new Error(`No room declares notifications of the type ${notice.type}`)
  const now = room.clock.now()
  for (let from = 0; from < notice.accountIds.length; from += accountsAtOnce) {
    const { reached, pushes } = await store.insertNotifications(trx, {
      accounts: notice.accountIds.slice(from, from + accountsAtOnce).map((account_id) => ({
        account_id,
        notification_id: newId(),
        own: notice.ownValues?.get(account_id) ?? {},
      })),
      type: notice.type,
      once: notice.once,
      group: notice.group ?? notice.once.slice(0, 120),
      values: notice.values,
      path: notice.path,
      about: notice.about ?? null,
      defaults: type.channels,
      goodUntil: notice.goodUntil ? asDate(notice.goodUntil) : null,
      urgent: type.isUrgent ?? false,
      now: asDate(now),
      mailDueAt: type.isMailedAnyway ? null : asDate(now.add({ minutes: type.mailAfterMinutes })),
    })
    const data = { type: notice.type }
    await publish(
      room.live,
      trx,
      ...reached.map((id) => ({ channel: personalChannel(id), kind: 'notification', data })),
    )
    if (pushes > 0) await room.jobs.enqueue(trx, sendPushesJob, {})
  }
}

/**
 * Deletes the notifications of a group, or with `path` only those about this page, with their mails and pushes that were not sent
 * yet. A notification that also counts other pages counts one less.
 */
export async function withdraw(
  { live }: Pick<NotificationRoom, 'live'>,
  trx: Sql,
  { group, path = null }: { group: string; path?: string | null },
): Promise<void> {
  await deleteOfGroup({ live }, trx, { group, path, before: null, most: null })
}

const withdrawnAtOnce = 2000

/** `withdraw` for groups with very many accounts, in steps; for jobs. With `before` only older ones. Safe to repeat. */
export async function withdrawFromAll(
  { db, live }: Pick<NotificationRoom, 'db' | 'live'>,
  { group, before = null }: { group: string; before?: Temporal.Instant | null },
): Promise<void> {
  const which = { group, path: null, before: before && asDate(before), most: withdrawnAtOnce }
  let gone: number
  do {
    gone = await db.transaction().execute((trx) => deleteOfGroup({ live }, trx, which))
  } while (gone === withdrawnAtOnce)
}

/** @returns how many notifications were deleted or changed */
async function deleteOfGroup(
  { live }: Pick<NotificationRoom, 'live'>,
  trx: Sql,
  which: Parameters<typeof store.deleteOfGroup>[1],
): Promise<number> {
  const { gone, reached } = await store.deleteOfGroup(trx, which)
  for (let from = 0; from < reached.length; from += accountsAtOnce)
    await publish(
      live,
      trx,
      ...reached
        .slice(from, from + accountsAtOnce)
        .map((id) => ({ channel: personalChannel(id), kind: 'notifications-read', data: {} })),
    )
  return gone
}

export const listNotifications = (
  room: NotificationRoom,
  accountId: string,
  query: PageQuery,
  locale: string,
): Promise<Page<Notification>> =>
  pageByTime(
    query,
    {
      list: (stretch) => store.listNotifications(room.db, accountId, stretch),
      count: (cap) => store.countNotifications(room.db, accountId, 'all', cap),
      placeOf: ({ created_at, notification_id }) => [created_at, notification_id],
    },
    (rows) => rows.map(({ values, ...row }) => ({ ...row, text: textOf(room, { ...row, values }, locale) })),
  )

export const countUnread = async ({ db }: NotificationRoom, accountId: string) => ({
  unread: await store.countNotifications(db, accountId, 'unread', unreadAtMost),
})

/** @param ids null: all. The bell in the person's other tabs and devices is updated too. */
export async function markRead(room: NotificationRoom, accountId: string, ids: string[] | null) {
  return room.db.transaction().execute(async (trx) => {
    const changed = await store.setRead(trx, accountId, ids, asDate(room.clock.now()))
    if (changed > 0)
      await publish(room.live, trx, { channel: personalChannel(accountId), kind: 'notifications-read', data: {} })
    return { unread: await store.countNotifications(trx, accountId, 'unread', unreadAtMost) }
  })
}

export const forgetNotifications = ({ db, clock }: NotificationRoom): Promise<void> =>
  store.deleteOlder(db, asDate(clock.now().subtract({ hours: retentionDays * 24 })))
