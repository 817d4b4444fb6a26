import { z } from 'zod'
import { answerId, answerInstant, answerList, answerText } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { line, pathId } from '../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../kit/shared/refusal.ts'
import { keyUsed, staffAlone } from '../staff/contract.ts'

export const urgentKinds = ['storm', 'evacuation', 'closure', 'other'] as const
export type UrgentKind = (typeof urgentKinds)[number]

/** How long a notice is shown, minutes. */
export const shownMinutes = { least: 5, most: 48 * 60 } as const
/** Notices shown at the same time, the newest ones. */
export const shownAtOnce = 5
/** Notices in the list for staff. */
export const listedForStaff = 50

/** The public channel in which a change of the notices is published. */
export const urgentChannel = 'urgent'

export const noticeNotFound = { code: 'urgent_notice_not_found', status: 404 } as const satisfies RefusalKind
export const alreadyEnded = { code: 'urgent_notice_ended', status: 409 } as const satisfies RefusalKind

const kind = z.enum(urgentKinds).meta({ unread: 'other' })

export const urgentNotice = z
  .object({
    notice_id: answerId,
    kind,
    title: answerText(60).meta({ description: 'the kind in words' }),
    text: answerText(300).meta({ unread: undefined }),
    until: answerText(100).meta({ description: 'its end in words, at the festival' }),
    ends_at: answerInstant,
  })
  .meta({ id: 'UrgentNotice', description: 'in the language of the request' })
export type UrgentNotice = z.infer<typeof urgentNotice>

export const listUrgent = endpoint({
  method: 'GET',
  path: '/api/urgent',
  summary: 'What everybody must know now, the newest first; the channel `urgent` of streams says when it changes',
  tag: 'urgent',
  access: 'public',
  answer: answerList(urgentNotice, shownAtOnce),
  refusals: [],
})

export const staffNotice = z
  .object({
    notice_id: answerId,
    kind,
    text_en: answerText(300),
    text_de: answerText(300),
    text_fr: answerText(300),
    created_at: answerInstant,
    ends_at: answerInstant,
    ended_at: answerInstant.nullable().meta({ description: 'ended by staff before its time' }),
    is_shown: z.boolean(),
  })
  .meta({ id: 'StaffUrgentNotice' })
export type StaffNotice = z.infer<typeof staffNotice>

export const listStaffUrgent = endpoint({
  method: 'GET',
  path: '/api/admin/urgent',
  summary: `The last ${listedForStaff} urgent notices, the newest first`,
  tag: 'urgent',
  access: staffAlone,
  answer: answerList(staffNotice, listedForStaff),
  refusals: [],
})

const text = () => line({ min: 1, max: 300 })

export const sendUrgent = endpoint({
  method: 'POST',
  path: '/api/admin/urgent',
  summary:
    'Shows a notice on every page at once, and sends it to every browser that takes pushes. The answer to a key that was used before says whether that notice is still shown',
  tag: 'urgent',
  body: z.object({
    kind,
    text_en: text(),
    text_de: text(),
    text_fr: text(),
    minutes: z.number().int().min(shownMinutes.least).max(shownMinutes.most).meta({ description: 'until it ends' }),
  }),
  access: staffAlone,
  staff: { action: 'send-urgent', inverse: true },
  idempotent: true,
  answer: staffNotice,
  status: 201,
  refusals: [invalidInput, keyUsed],
})

export const endUrgent = endpoint({
  method: 'POST',
  path: '/api/admin/urgent/{notice_id}/end',
  summary: 'Takes a notice off all pages before its time',
  tag: 'urgent',
  params: z.object({ notice_id: pathId }),
  access: staffAlone,
  staff: { action: 'end-urgent', inverse: true },
  idempotent: true,
  answer: staffNotice,
  status: 200,
  refusals: [noticeNotFound, alreadyEnded, keyUsed],
})
