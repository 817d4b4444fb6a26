import type { Caller } from '../../kit/server/serve-endpoint.ts'
import type { AnswerBody, CheckedInput } from '../../kit/shared/endpoint.ts'
import { autoplan, type PlanCandidate } from '../autoplan.ts'
import { planMost, type planSchedule } from '../contract.ts'
import { entriesOf } from './entries-of.ts'
import { refuseTooManyChanges, type ScheduleRoom } from './room.ts'

/** Plans the events that are not over; changes nothing. @throws `too_many_requests` */
export async function plan(
  room: ScheduleRoom,
  who: Caller,
  { day, leave_out = [] }: CheckedInput<typeof planSchedule>['body'],
): Promise<AnswerBody<typeof planSchedule>> {
  await refuseTooManyChanges(room, who)
  const entries = await entriesOf(room, who.accountId)
  const candidates = entries
    .filter(({ event }) => event.status !== 'ended' && (day === undefined || event.festival_day === day))
    .map(({ priority, event }): PlanCandidate => ({ ...event, priority, cancelled: event.status === 'cancelled' }))
  const considered = candidates.slice(0, planMost)
  const whole = autoplan(considered)
  const leftOut = new Set(leave_out)
  const { kept, dropped } =
    leftOut.size > 0 ? autoplan(considered.filter(({ event_id }) => !leftOut.has(event_id))) : whole
  return {
    kept,
    dropped,
    gained: kept.filter((id) => !whole.kept.includes(id)),
    lost: whole.kept.filter((id) => !kept.includes(id) && !leftOut.has(id)),
    beyond: candidates.length - considered.length,
  }
}
