import { knownWho, operation, type Operation } from '../../kit/server/serve-endpoint.ts'
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
      listNotifications(room, knownWho(asking).accountId, query, asking.locale),
    ),
    operation(contract.countUnread, (_, asking) => countUnread(room, knownWho(asking).accountId)),
    operation(contract.readNotifications, ({ body }, asking) =>
      markRead(room, knownWho(asking).accountId, body.notification_ids ?? null),
    ),
    operation(contract.getNotificationSettings, (_, asking) =>
      notificationSettingsOf(room, knownWho(asking), asking.locale),
    ),
    operation(contract.changeNotificationSettings, ({ body }, asking) =>
      changeSettings(room, knownWho(asking), body, asking.locale),
    ),
    operation(contract.subscribeToPush, ({ body }, asking) => subscribe(room, knownWho(asking), body)),
    operation(contract.unsubscribeFromPush, ({ body }, asking) => unsubscribe(room, knownWho(asking), body.endpoint)),
  ]
}
