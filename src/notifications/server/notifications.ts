import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { pageByTime, type Page, type PageQuery } from '../../kit/server/page.ts'
import { personalChannel, publish } from '../../live/server/live.ts'
import { keptDays, unreadAtMost, type Notification } from '../contract.ts'
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
  /** Nobody is told this twice, however often the rule runs: `<room>:<id>:…`, 200 characters at most. */
  once: string
  /** Unread notices of one group become one, which counts (`{count}` in its text); by default each is its own. */
  group?: string
  /** For the text `notices.<type>.text`; times as they shall be read, such as "20:10". */
  values: Record<string, string | number>
  /** What differs from `values` for some of them, by account. */
  ownValues?: ReadonlyMap<string, Record<string, string | number>>
  /** The page that shows it, such as `/deal/…`. */
  path: string
  /** The account of whom `values.name` names, which goes when that account is deleted. */
  about?: string | null
  /** Later than this it is of no use outside the app: no mail of it leaves. */
  goodUntil?: Temporal.Instant
}

const accountsAtOnce = 500

/** Tells people something, in the transaction of the change: in the app, and by what else they chose. */
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
 * Takes back what people were told of a group, or with `path` of this page: it is in no list, no mail or push of it leaves, and
 * a notice that counts other pages too counts it no more.
 */
export async function withdraw(
  { live }: Pick<NotificationRoom, 'live'>,
  trx: Sql,
  { group, path = null }: { group: string; path?: string | null },
): Promise<void> {
  await withdrawn({ live }, trx, { group, path, before: null, most: null })
}

const withdrawnAtOnce = 2000

/** The same of what very many were told, in steps; with `before` only of what is older. In a job: run twice it does the same. */
export async function withdrawFromAll(
  { db, live }: Pick<NotificationRoom, 'db' | 'live'>,
  { group, before = null }: { group: string; before?: Temporal.Instant | null },
): Promise<void> {
  const which = { group, path: null, before: before && asDate(before), most: withdrawnAtOnce }
  let gone: number
  do {
    gone = await db.transaction().execute((trx) => withdrawn({ live }, trx, which))
  } while (gone === withdrawnAtOnce)
}

/** @returns how many there were */
async function withdrawn(
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
      count: (cap) => store.countNotifications(room.db, accountId, cap),
      placeOf: ({ created_at, notification_id }) => [created_at, notification_id],
    },
    (rows) => rows.map((row) => shown(room, row, locale)),
  )

function shown(room: NotificationRoom, row: store.NotificationRow, locale: string): Notification {
  const { notification_id, type, path, count, created_at, read_at } = row
  return {
    notification_id,
    type,
    text: textOf(room, row, locale),
    path,
    count,
    created_at: created_at.toISOString(),
    read_at: read_at?.toISOString() ?? null,
  }
}

export const countUnread = async ({ db }: NotificationRoom, accountId: string) => ({
  unread: await store.countUnread(db, accountId, unreadAtMost),
})

/** Null: all. Other bells of the same person hear of it. */
export async function markRead(room: NotificationRoom, accountId: string, ids: string[] | null) {
  return room.db.transaction().execute(async (trx) => {
    const changed = await store.setRead(trx, accountId, ids, asDate(room.clock.now()))
    if (changed > 0)
      await publish(room.live, trx, { channel: personalChannel(accountId), kind: 'notifications-read', data: {} })
    return { unread: await store.countUnread(trx, accountId, unreadAtMost) }
  })
}

export const forgetNotifications = ({ db, clock }: NotificationRoom): Promise<void> =>
  store.deleteOlder(db, asDate(clock.now().subtract({ hours: keptDays * 24 })))
