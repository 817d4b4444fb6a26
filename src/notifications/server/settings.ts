import { addresseeOf } from '../../accounts/server/accounts.ts'
import type { Caller } from '../../kit/server/access.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import type { changeNotificationSettings, NotificationSettings } from '../contract.ts'
import { channels } from '../limits.ts'
import type { NotificationRoom } from './room.ts'
import * as store from './store.ts'

export async function notificationSettingsOf(
  room: NotificationRoom,
  who: Caller,
  locale: string,
  db: Sql = room.db,
): Promise<NotificationSettings> {
  const choices = await store.choicesOf(db, who.accountId)
  return {
    types: Object.entries(room.types)
      .filter(([, { roles }]) => roles.includes(who.role))
      .map(([type, { channels, isMailedAnyway }]) => ({
        type,
        name: room.texts.say(locale, `notices.${type}.name`),
        channels: choices.get(type) ?? [...channels],
        mailed_anyway: isMailedAnyway ?? false,
      })),
    offered: room.hasPush ? [...channels] : channels.filter((channel) => channel !== 'push'),
    email_works: (await addresseeOf(db, who.accountId)) !== null,
    quiet: await store.quietHoursOf(db, who.accountId),
    push_key: room.hasPush ? room.pushKeys.publicKey : '',
  }
}

/** Changes only the given fields. @throws `invalid_input` for a type that this role does not get, or quiet hours of no length */
export async function changeSettings(
  room: NotificationRoom,
  who: Caller,
  change: CheckedInput<typeof changeNotificationSettings>['body'],
  locale: string,
): Promise<NotificationSettings> {
  const { type, channels, quiet } = change
  const refuse = (field: string, key: string) => new Refusal(invalidInput, { fields: { [field]: { key } } })
  const isKnown = type !== undefined && Object.hasOwn(room.types, type) && room.types[type]!.roles.includes(who.role)
  if (channels && !isKnown) throw refuse('type', 'invalid')
  if (quiet && quiet.from === quiet.to) throw refuse('quiet', 'same_times')
  return room.db.transaction().execute(async (trx) => {
    if (channels && type !== undefined) await store.setChoice(trx, who.accountId, type, [...new Set(channels)])
    if (quiet !== undefined) await store.setQuietHours(trx, who.accountId, quiet)
    return notificationSettingsOf(room, who, locale, trx)
  })
}
