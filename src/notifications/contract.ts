import { z } from 'zod'
import { answerId, answerInstant, answerText, ownPathForm } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { line, pageQuery, fieldIssue } from '../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../kit/shared/refusal.ts'
import { roles } from '../accounts/contract.ts'
import { channels } from './limits.ts'

export * from './limits.ts'

/** At most so many ids in one call. */
export const markedAtOnce = 100
/** Highest number in the bell: it stands for "99 or more". */
export const unreadAtMost = 99
/** Notifications are deleted after this, read or not. */
export const retentionDays = 90

/** Also for staff who still have to set up two-factor authentication: the bell is on every page. */
const ownNotifications = { roles, beforeSecondFactor: true } as const

export const notification = z
  .object({
    notification_id: answerId,
    type: answerText(40),
    text: answerText(500).meta({ unread: undefined }).describe('in the language of the request'),
    path: answerText(300).meta({ form: ownPathForm, unread: '/' }).describe('page that shows what it is about'),
    count: z.int().min(1).meta({ unread: 1 }).describe('how many of its kind it stands for'),
    created_at: answerInstant,
    read_at: answerInstant.nullable(),
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof notification>

const unread = z
  .object({ unread: z.int().min(0).max(unreadAtMost).describe('99: 99 or more') })
  .meta({ id: 'UnreadNotifications' })

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  summary: 'One’s notifications, newest first',
  tag: 'notifications',
  query: z.object(pageQuery),
  access: ownNotifications,
  answer: z.array(notification).max(100),
  paged: true,
  refusals: [invalidInput],
})

export const countUnread = endpoint({
  method: 'GET',
  path: '/api/notifications/unread',
  summary: 'How many notifications are unread',
  tag: 'notifications',
  access: ownNotifications,
  answer: unread,
  refusals: [],
})

export const readNotifications = endpoint({
  method: 'POST',
  path: '/api/notifications/read',
  summary: 'Marks notifications as read; without ids all of them',
  tag: 'notifications',
  body: z.object({ notification_ids: z.array(z.uuid().max(36)).max(markedAtOnce).optional() }),
  access: ownNotifications,
  answer: unread,
  status: 200,
  refusals: [invalidInput],
})

const choice = z.array(z.enum(channels)).max(channels.length)
const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
  .meta({ unread: undefined, maxLength: 5, description: 'local time of the festival, such as 23:00' })

export const notificationSettings = z
  .object({
    types: z
      .array(
        z.object({
          type: answerText(40).meta({ unread: undefined }),
          name: answerText(200).meta({ unread: undefined }),
          channels: choice.describe('none: off'),
          mailed_anyway: z.boolean().describe('an email leaves whatever is chosen'),
        }),
      )
      .max(50),
    offered: choice.describe('channels that this site has'),
    email_works: z.boolean().meta({ unread: true }).describe('false: the address is not confirmed, so no mail is sent'),
    quiet: z.object({ from: clock, to: clock }).nullable(),
    push_key: answerText(100).describe('applicationServerKey of this site, base64url; empty: it sends no pushes'),
  })
  .meta({ id: 'NotificationSettings' })
export type NotificationSettings = z.infer<typeof notificationSettings>

export const getNotificationSettings = endpoint({
  method: 'GET',
  path: '/api/notifications/settings',
  summary: 'What one is told of, by which channels, and when not',
  tag: 'notifications',
  access: ownNotifications,
  answer: notificationSettings,
  refusals: [],
})

export const changeNotificationSettings = endpoint({
  method: 'PATCH',
  path: '/api/notifications/settings',
  summary: 'Changes channels of a type, or the quiet hours; what is not sent stays',
  tag: 'notifications',
  body: z.object({
    type: z.string().max(40).optional(),
    channels: choice.optional(),
    quiet: z.object({ from: clock, to: clock }).nullable().optional(),
  }),
  access: ownNotifications,
  answer: notificationSettings,
  refusals: [invalidInput],
})

/** Browsers per account; one more replaces the oldest. */
export const devicesAtMost = 20

/** The endpoint leads into the server's own network, or belongs to another account. */
export const pushRefused = { code: 'push_endpoint_refused', status: 400 } as const satisfies RefusalKind

const endpointAddress = () =>
  line({ min: 10, max: 1000 }).refine((value) => /^https?:\/\/[^\s]+$/i.test(value), fieldIssue('invalid'))

export const subscribeToPush = endpoint({
  method: 'POST',
  path: '/api/push/subscriptions',
  summary: 'This browser takes pushes for me until this session ends; as `PushSubscription.toJSON()` says it',
  tag: 'notifications',
  body: z.object({
    endpoint: endpointAddress(),
    keys: z.object({
      p256dh: line({ min: 80, max: 100 }).meta({ description: 'P-256 point, base64url' }),
      auth: line({ min: 16, max: 32 }).meta({ description: '16 bytes, base64url' }),
    }),
  }),
  access: ownNotifications,
  answer: null,
  status: 204,
  refusals: [invalidInput, pushRefused],
})

export const unsubscribeFromPush = endpoint({
  method: 'DELETE',
  path: '/api/push/subscriptions',
  summary: 'This browser takes no pushes for me any more; one that is none of mine stays',
  tag: 'notifications',
  body: z.object({ endpoint: endpointAddress() }),
  access: ownNotifications,
  answer: null,
  status: 204,
  refusals: [invalidInput],
})
