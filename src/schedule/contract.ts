import { z } from 'zod'
import { listedEvent } from '../events/contract.ts'
import { answerId, answerList, answerName, answerText } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { absentWhenEmpty, bodyNumber, pathId, queryNumber, text } from '../kit/shared/input.ts'
import { invalidInput, tooMany, type RefusalKind } from '../kit/shared/refusal.ts'
import { maxSecondsAgo, removalRetentionDays } from '../kit/shared/seconds-ago.ts'
import { answerOf, inputOf } from '../kit/shared/thing.ts'
import { dealNearGap } from './contract/gaps.ts'
import { entryFields } from './entry.ts'
import { scheduleRoles } from './policy.ts'

export * from './limits.ts'

/** Events in a schedule at most. */
export const entriesMost = 500
/** Events that a guest's phone keeps, and that are brought in at once, at most. */
export const picksMost = 200
/** Changes that somebody may make within ten minutes: every plan of an evening, and no flood. */
export const changesPerTenMinutes = 600
/** Events that one plan takes at most. */
export const planMost = 60

export const entryNotFound = { code: 'schedule_entry_not_found', status: 404 } as const satisfies RefusalKind
export const eventUnknown = { code: 'event_not_found', status: 404 } as const satisfies RefusalKind
export const scheduleFull = { code: 'schedule_full', status: 409 } as const satisfies RefusalKind
/** The event was taken out on another device, after the addition was tapped that is sent late. */
export const removedLater = { code: 'schedule_removed_later', status: 409 } as const satisfies RefusalKind
/** The event was added or changed on another device, after the removal was tapped that is sent late. */
export const changedLater = { code: 'schedule_changed_later', status: 409 } as const satisfies RefusalKind
/** The link was taken back, or never was one. */
export const sharedNotFound = { code: 'shared_schedule_not_found', status: 404 } as const satisfies RefusalKind

/** Fields that a person can set on an entry. */
export const settableFields = ['priority', 'note', 'reminders'] as const satisfies (keyof typeof entryFields)[]

const visitors = { roles: scheduleRoles } as const

/** The id of an event or entry in a body; what is none is unknown, which the rule says. */
const bodyId = () => text({ min: 1, max: 36 })

/** What its owner sends of an entry: a missing field stays. */
const changes = {
  priority: absentWhenEmpty(entryFields.priority.input.optional()),
  note: inputOf(entryFields).note.meta({ description: 'seen by its owner alone; null or empty: none' }),
  reminders: entryFields.reminders.input.optional(),
}

export const scheduleEntry = z.object(answerOf(entryFields)).meta({ id: 'ScheduleEntry' })
export type ScheduleEntry = z.infer<typeof scheduleEntry>

export const listSchedule = endpoint({
  method: 'GET',
  path: '/api/schedule',
  summary: 'My schedule in order of time',
  tag: 'schedule',
  access: visitors,
  answer: z
    .object({
      entries: answerList(scheduleEntry, entriesMost).meta({ unread: undefined }),
      feed_url: answerText(300).nullable().meta({ description: 'address of the calendar; null: not made yet' }),
      share_url: answerText(300).nullable().meta({ description: 'page that shows it to others; null: not shared' }),
      today: z.iso.date().meta({ maxLength: 10, description: 'the festival day of the server’s clock' }),
      account_id: answerId.meta({
        unread: '',
        description: 'whose schedule it is, so that a phone sends what one person changed offline to no other',
      }),
    })
    .meta({ id: 'Schedule' }),
  refusals: [],
})

export const addToSchedule = endpoint({
  method: 'POST',
  path: '/api/schedule',
  summary:
    'Adds an event. One that is there already stays one entry, and what is sent of it is changed. Clashes never stop it; `replaces` takes others out in the same step',
  tag: 'schedule',
  body: z.object({
    event_id: bodyId(),
    ...changes,
    reminders: changes.reminders.meta({ description: 'absent: the default of the account' }),
    replaces: z.array(bodyId()).max(20).optional().meta({ description: 'ids of entries that leave for it' }),
    seconds_ago: absentWhenEmpty(bodyNumber(0, maxSecondsAgo, 'integer').optional()).meta({
      description: `seconds since it was tapped, where it is sent late; of each field the later tap counts, and what was removed since, within ${removalRetentionDays} days, stays removed`,
    }),
  }),
  access: visitors,
  answer: z
    .object({
      entry: scheduleEntry,
      overruled: answerList(z.enum(settableFields).meta({ unread: undefined }), settableFields.length).meta({
        description: 'fields that are not as they were sent, as another device was later',
      }),
      clashes: answerList(z.object({ entry_id: answerId, event_id: answerId, title: answerName(120) }), entriesMost),
    })
    .meta({ id: 'ScheduleAddition' }),
  status: 201,
  refusals: [invalidInput, eventUnknown, scheduleFull, removedLater, tooMany],
})

export const importToSchedule = endpoint({
  method: 'POST',
  path: '/api/schedule/import',
  summary:
    'Adds many events at once: the picks of a phone, or those of a friend. Entries that are there stay as they are',
  tag: 'schedule',
  body: z.object({ event_ids: z.array(bodyId()).max(picksMost) }),
  access: visitors,
  answer: z
    .object({
      added: z.number().int(),
      already: z.number().int(),
      unknown: z.number().int().meta({ description: 'not in the programme any more' }),
      full: z
        .number()
        .int()
        .meta({ description: `left out because the schedule holds ${entriesMost}` }),
    })
    .meta({ id: 'ScheduleImport' }),
  refusals: [invalidInput, tooMany],
})

const entryId = { entry_id: pathId }

export const changeEntry = endpoint({
  method: 'PATCH',
  path: '/api/schedule/{entry_id}',
  summary: 'Changes priority, note or reminders; what is not sent stays',
  tag: 'schedule',
  params: z.object(entryId),
  body: z.object(changes),
  access: visitors,
  answer: scheduleEntry,
  refusals: [invalidInput, entryNotFound, tooMany],
})

export const removeEntry = endpoint({
  method: 'DELETE',
  path: '/api/schedule/{entry_id}',
  summary: 'Takes an event out of my schedule; what was added or changed since a removal without a network stays',
  tag: 'schedule',
  params: z.object(entryId),
  query: z.object({
    seconds_ago: queryNumber(0, maxSecondsAgo).describe('Seconds since it was removed, where the removal is sent late'),
  }),
  access: visitors,
  answer: null,
  status: 204,
  refusals: [invalidInput, entryNotFound, tooMany],
})

export const removeEvent = endpoint({
  method: 'DELETE',
  path: '/api/schedule/events/{event_id}',
  summary: `Takes an event out of my schedule, whether it is there or not: for ${removalRetentionDays} days no addition that was tapped before brings it back`,
  tag: 'schedule',
  params: z.object({ event_id: pathId }),
  query: z.object({
    seconds_ago: queryNumber(0, maxSecondsAgo).describe('Seconds since it was removed, where the removal is sent late'),
  }),
  access: visitors,
  answer: null,
  status: 204,
  refusals: [invalidInput, changedLater, tooMany],
})

export const planSchedule = endpoint({
  method: 'POST',
  path: '/api/schedule/autoplan',
  summary: `The best feasible plan of up to ${planMost} entries, walking included; changes nothing`,
  tag: 'schedule',
  body: z.object({
    day: z.iso.date().optional().meta({ maxLength: 10, description: 'a festival day; absent: all that is to come' }),
    leave_out: z
      .array(bodyId())
      .max(planMost)
      .optional()
      .meta({ description: 'ids of events: what if they were not there' }),
  }),
  access: visitors,
  answer: z
    .object({
      kept: answerList(answerId, planMost).meta({ unread: undefined, description: 'ids of events in order of time' }),
      dropped: answerList(
        z.object({
          event_id: answerId,
          reason: z.enum(['clash', 'walk', 'cancelled']).meta({ unread: 'clash' }),
          because: answerList(answerId, planMost),
        }),
        entriesMost,
      ),
      gained: answerList(answerId, planMost).meta({ description: 'kept because of `leave_out` alone' }),
      lost: answerList(answerId, planMost).meta({
        description: 'kept without `leave_out` alone, beside those left out',
      }),
      beyond: z
        .number()
        .int()
        .meta({ description: `later entries that were not looked at, being more than ${planMost}` }),
    })
    .meta({ id: 'SchedulePlan' }),
  status: 200,
  refusals: [invalidInput, tooMany],
})

export const dealsInGap = endpoint({
  method: 'GET',
  path: '/api/schedule/gap',
  summary: 'Up to three deals that are open between two of my events and near enough to be in time for the second',
  tag: 'schedule',
  query: z.object({
    from_event: text({ min: 1, max: 36 }).meta({ description: 'id of the event that ends' }),
    to_event: text({ min: 1, max: 36 }).meta({ description: 'id of the event that begins' }),
  }),
  access: visitors,
  answer: answerList(dealNearGap, 3),
  refusals: [invalidInput, eventUnknown],
})

/** A secret in a path; what cannot be one is unknown, which the rule says. */
const token = z.string().meta({ maxLength: 100 })

export const personalFeed = endpoint({
  method: 'GET',
  path: '/api/schedule/feed/{token}.ics',
  summary: 'My schedule for calendar apps, under its secret address: with reminders, changes and cancellations',
  tag: 'schedule',
  params: z.object({ token }),
  access: 'public',
  answer: null,
  fileType: 'text/calendar',
  feed: 'secret',
  refusals: [sharedNotFound],
})

export const rotateFeed = endpoint({
  method: 'POST',
  path: '/api/schedule/feed/rotate',
  summary: 'A new secret address of my calendar; the one before stops working',
  tag: 'schedule',
  access: visitors,
  answer: z.object({ feed_url: answerText(300).meta({ unread: undefined }) }).meta({ id: 'ScheduleFeed' }),
  status: 201,
  refusals: [tooMany],
})

const qr = z
  .object({ size: z.number().int().meta({ unread: 1 }), path: answerText(20_000).meta({ unread: undefined }) })
  .meta({ id: 'ShareQr', description: 'drawn into a square of `size` units; `path` is the d of an SVG path' })

export const shareSchedule = endpoint({
  method: 'POST',
  path: '/api/schedule/share',
  summary: 'The link that shows my schedule to others, without notes; the same one until it is taken back',
  tag: 'schedule',
  access: visitors,
  answer: z.object({ share_url: answerText(300).meta({ unread: undefined }), qr }).meta({ id: 'ScheduleShare' }),
  status: 201,
  refusals: [tooMany],
})

export const unshareSchedule = endpoint({
  method: 'DELETE',
  path: '/api/schedule/share',
  summary: 'Takes the link back: it shows nothing any more',
  tag: 'schedule',
  access: visitors,
  answer: null,
  status: 204,
  refusals: [tooMany],
})

export const getShared = endpoint({
  method: 'GET',
  path: '/api/shared/{token}',
  summary: 'Somebody’s schedule, as they share it: without notes and reminders',
  tag: 'schedule',
  params: z.object({ token }),
  access: 'public',
  answer: z
    .object({
      owner: answerName(80),
      entries: answerList(
        z.object({ priority: scheduleEntry.shape.priority, event: listedEvent }).meta({ id: 'SharedEntry' }),
        entriesMost,
      ).meta({ unread: undefined }),
    })
    .meta({ id: 'SharedSchedule' }),
  refusals: [sharedNotFound],
})
