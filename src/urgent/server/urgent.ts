import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { RequestContext, Texts } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { clockWithDay } from '../../kit/shared/calendar.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { publish, type LiveRoom } from '../../live/server/live.ts'
import {
  accountsWithDevices,
  notify,
  withdrawFromAll,
  type NotificationRoom,
} from '../../notifications/server/notifications.ts'
import { page } from '../../site-map.ts'
import { act, type Undo } from '../../staff/server/staff.ts'
import {
  alreadyEnded,
  listedForStaff,
  noticeNotFound,
  shownAtOnce,
  urgentChannel,
  type sendUrgent as sendEndpoint,
  type StaffNotice,
  type UrgentNotice,
} from '../contract.ts'
import * as store from './store.ts'

export interface UrgentRoom {
  db: Database
  clock: Clock
  jobs: Jobs
  texts: Texts
  zone: string
  live: LiveRoom
  notifications: NotificationRoom
}

export async function listUrgent({ db, clock, texts, zone }: UrgentRoom, locale: string): Promise<UrgentNotice[]> {
  const rows = await store.listShown(db, asDate(clock.now()), shownAtOnce)
  return rows.map((row) => ({
    notice_id: row.notice_id,
    kind: row.kind,
    title: texts.say(locale, `urgent.kind.${row.kind}`),
    text: textIn(row, locale),
    until: texts.say(locale, 'urgent.until', {
      when: clockWithDay(zone, Date.parse(row.ends_at), clock.now().epochMilliseconds),
    }),
    ends_at: row.ends_at,
  }))
}

const textIn = (row: store.NoticeRow, locale: string) =>
  locale === 'de' ? row.text_de : locale === 'fr' ? row.text_fr : row.text_en

export async function listStaffUrgent({ db, clock }: UrgentRoom): Promise<StaffNotice[]> {
  const rows = await store.listNotices(db, listedForStaff)
  return rows.map((row) => forStaff(row, clock))
}

const forStaff = (row: store.NoticeRow, clock: Clock): StaffNotice => ({
  ...row,
  is_shown: row.ended_at === null && Date.parse(row.ends_at) > clock.now().epochMilliseconds,
})

export const pushJob = 'push-urgent-notice'

/** Sends a notice once for an idempotency key. Answers the notice as it is now: after a retry it may be over already. @throws `key_used` */
export async function sendUrgent(
  room: UrgentRoom,
  asking: RequestContext,
  body: CheckedInput<typeof sendEndpoint>['body'],
): Promise<StaffNotice> {
  const sent = await act(room, asking, { operation: 'send-urgent', input: body }, async (trx) => {
    const { minutes, ...notice } = body
    const now = room.clock.now()
    const ends_at = asDate(now.add({ minutes }))
    const row = await store.insertNotice(trx, { notice_id: newId(), ...notice, created_at: asDate(now), ends_at })
    await publishChange(room, trx)
    await room.jobs.enqueue(trx, pushJob, { notice_id: row.notice_id })
    return {
      answer: forStaff(row, room.clock),
      done: { action: 'send-urgent', object: objectOf(row), after: { ...row } },
    }
  })
  const row = await store.findNotice(room.db, sent.notice_id)
  return row ? forStaff(row, room.clock) : { ...sent, is_shown: false }
}

/** @throws `urgent_notice_not_found`, `urgent_notice_ended`, `key_used` */
export async function endUrgent(room: UrgentRoom, asking: RequestContext, noticeId: string): Promise<StaffNotice> {
  if (!isUuid(noticeId)) throw new Refusal(noticeNotFound)
  return act(room, asking, { operation: 'end-urgent', input: { noticeId } }, async (trx) => {
    const before = await store.findNotice(trx, noticeId)
    if (!before) throw new Refusal(noticeNotFound)
    const after = forStaff(before, room.clock).is_shown && (await end(room, trx, noticeId))
    if (!after) throw new Refusal(alreadyEnded)
    const done = { action: 'end-urgent', object: objectOf(after), before: { ...before }, after: { ...after } }
    return { answer: forStaff(after, room.clock), done }
  })
}

const objectOf = (row: store.NoticeRow) => ({ kind: 'urgent-notice', id: row.notice_id, name: row.text_en })

/** How many notices are shown now. */
export const countShown = async (db: Sql, clock: Clock, cap: number) =>
  (await store.listShown(db, asDate(clock.now()), cap)).length

async function end(room: UrgentRoom, trx: Sql, noticeId: string): Promise<store.NoticeRow | undefined> {
  const row = await store.setEnded(trx, noticeId, asDate(room.clock.now()))
  if (row) {
    await publishChange(room, trx)
    await room.jobs.enqueue(trx, withdrawJob, { notice_id: noticeId })
  }
  return row
}

/**
 * Undoing a sent notice removes it from all pages; pushes already delivered stay. Undoing its end shows it again until its time,
 * without a second push.
 */
export function urgentUndos(room: UrgentRoom): Record<string, Undo> {
  return {
    'send-urgent': async (trx, entry) => {
      const ended = await end(room, trx, entry.object_id!)
      return ended ? { kept: [] } : null
    },
    'end-urgent': async (trx, entry) => {
      const shown = await store.setEnded(trx, entry.object_id!, null)
      if (shown) await publishChange(room, trx)
      return shown ? { kept: [] } : null
    },
  }
}

/** Makes open pages load the notices again, each in its language. */
const publishChange = ({ live }: UrgentRoom, trx: Sql) =>
  publish(live, trx, { channel: urgentChannel, kind: 'urgent-changed', data: {} })

const devicesAtOnce = 500

/** The group of all notifications about a notice. */
const groupOf = (noticeId: string) => `urgent:${noticeId}`

export const withdrawJob = 'withdraw-urgent-notice'

/** Withdraws the notifications and queued pushes of a notice that staff have ended or undone. */
export async function withdrawUrgent(room: UrgentRoom, noticeId: string): Promise<void> {
  const notice = await store.findNotice(room.db, noticeId)
  // staff have shown it again
  if (notice?.ended_at === null) return
  await withdrawFromAll(room.notifications, { group: groupOf(noticeId) })
}

/** Pushes the notice to everybody with push turned on, also in quiet hours; once, however often the job runs. */
export const pushUrgent = (room: UrgentRoom, noticeId: string) =>
  inSteps(devicesAtOnce, (step) =>
    room.db.transaction().execute(async (trx) => {
      const notice = await store.findNotice(trx, noticeId, 'lock')
      // ended or undone before its push
      if (!notice || !forStaff(notice, room.clock).is_shown) return []
      const accountIds = await accountsWithDevices(trx, step)
      const { text_en, text_de, text_fr } = notice
      await notify(room.notifications, trx, {
        type: 'urgent',
        accountIds,
        once: groupOf(noticeId),
        values: { text_en, text_de, text_fr },
        path: page.home,
        goodUntil: Temporal.Instant.from(notice.ends_at),
      })
      return accountIds
    }),
  )
