import { apiCall } from '../../kit/browser/asking.ts'
import {
  anything,
  instant,
  list,
  needed,
  numberOr,
  oneOf,
  or,
  record,
  textOr,
  flagOr,
} from '../../kit/browser/reading.ts'
import type * as contract from '../contract.ts'
import { channels } from '../limits.ts'

/** How screens ask the endpoints of this room, and how tolerantly they read the answers. */

const unread = record<{ unread: number }>({ unread: numberOr(0) })

export const countUnread = apiCall<typeof contract.countUnread>('GET /api/notifications/unread', unread)
export const readNotifications = apiCall<typeof contract.readNotifications>('POST /api/notifications/read', unread)
export const listNotifications = apiCall<typeof contract.listNotifications>(
  'GET /api/notifications',
  list(
    record<contract.Notification>({
      notification_id: needed,
      type: textOr(''),
      text: needed,
      path: (value) => (typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : '/'),
      count: numberOr(1),
      created_at: or(instant, ''),
      read_at: instant,
    }),
  ),
)

const channel = (value: unknown) => oneOf(channels, null)(value) ?? undefined
const settings = record<contract.NotificationSettings>({
  types: or(
    list(record({ type: needed, name: needed, channels: or(list(channel), []), mailed_anyway: flagOr(false) })),
    [],
  ),
  offered: or(list(channel), []),
  email_works: flagOr(true),
  quiet: or(record({ from: needed, to: needed }), null),
  push_key: textOr(''),
})
export const getNotificationSettings = apiCall<typeof contract.getNotificationSettings>(
  'GET /api/notifications/settings',
  settings,
)
export const changeNotificationSettings = apiCall<typeof contract.changeNotificationSettings>(
  'PATCH /api/notifications/settings',
  settings,
)

export const subscribeToPush = apiCall<typeof contract.subscribeToPush>('POST /api/push/subscriptions', anything)
export const unsubscribeFromPush = apiCall<typeof contract.unsubscribeFromPush>(
  'DELETE /api/push/subscriptions',
  anything,
)
