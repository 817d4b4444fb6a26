import { z } from 'zod'
import { answerId, answerInstant, answerText } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { pageQuery } from '../kit/shared/input.ts'
import { invalidInput } from '../kit/shared/refusal.ts'
import { roles } from '../accounts/contract.ts'

export const channels = ['in_app', 'push', 'email'] as const
export type Channel = (typeof channels)[number]

/** Ids that one call marks as read. */
export const markedAtOnce = 100
/** The bell counts no further. */
export const unreadAtMost = 99
/** Notifications are deleted after so many days, read or not. */
export const keptDays = 90

/** Their own, whoever they are: also staff who still have to set up a second factor see the bell. */
const ownNotifications = { roles, beforeSecondFactor: true } as const

export const notification = z
  .object({
    notification_id: answerId,
    type: answerText(40),
    text: answerText(500).describe('in the language of the request'),
    path: answerText(300).describe('page that shows what it is about'),
    count: z.int().min(1).describe('how many of its kind it stands for'),
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
  .meta({ maxLength: 5, description: 'local time of the festival, such as 23:00' })

export const notificationSettings = z
  .object({
    types: z
      .array(
        z.object({
          type: answerText(40),
          name: answerText(200),
          channels: choice.describe('none: off'),
        }),
      )
      .max(50),
    offered: choice.describe('channels that this site has'),
    email_works: z.boolean().describe('false: the address is not confirmed, so no mail is sent'),
    quiet: z.object({ from: clock, to: clock }).nullable(),
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
