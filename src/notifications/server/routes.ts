import { knownCaller, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
import * as contract from '../contract.ts'
import {
  changeSettings,
  countUnread,
  listNotifications,
  markRead,
  notificationSettingsOf,
  subscribe,
  unsubscribe,
  type NotificationRoom,
} from './notifications.ts'

export function notificationOperations(room: NotificationRoom): Operation[] {
  return [
    operation(contract.listNotifications, ({ query }, asking) =>
      listNotifications(room, knownCaller(asking).accountId, query, asking.locale),
    ),
    operation(contract.countUnread, (_, asking) => countUnread(room, knownCaller(asking).accountId)),
    operation(contract.readNotifications, ({ body }, asking) =>
      markRead(room, knownCaller(asking).accountId, body.notification_ids ?? null),
    ),
    operation(contract.getNotificationSettings, (_, asking) =>
      notificationSettingsOf(room, knownCaller(asking), asking.locale),
    ),
    operation(contract.changeNotificationSettings, ({ body }, asking) =>
      changeSettings(room, knownCaller(asking), body, asking.locale),
    ),
    operation(contract.subscribeToPush, ({ body }, asking) => subscribe(room, knownCaller(asking), body)),
    operation(contract.unsubscribeFromPush, ({ body }, asking) =>
      unsubscribe(room, knownCaller(asking), body.endpoint),
    ),
  ]
}
