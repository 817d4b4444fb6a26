import { changeMe } from '../../accounts/contract.ts'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { currentConnection } from '../../kit/browser/connection.ts'
import { serverTime } from '../../kit/browser/server-time.ts'
import { browserStorage } from '../../kit/browser/storage.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { getNotificationSettings, type NotificationSettings } from '../../notifications/contract.ts'
import { pushState, switchPushOn, type PushState } from '../../notifications/web/push-device.ts'
import { savedEntries, type SavedEvent } from './my-schedule.ts'

/** Minutes before the start. */
export const usualReminder = 15
/** Longest wait for the browser and the server before the answer names the bell. */
const patienceMs = 8_000
const askedKey = 'rheinklang-reminder-asked'

/**
 * Whether this is the first saved event on this phone that one could be reminded of; true once. Not for people who have reminders
 * already, and not offline, because the default of the account is on the server.
 */
export function mayAsk(event: SavedEvent): boolean {
  const isLater = Date.parse(event.starts_at) - serverTime() > usualReminder * 60_000
  const hasReminders = savedEntries().some(({ reminders }) => reminders.length > 0)
  if (!isLater || event.all_day || hasReminders || currentConnection().isOffline) return false
  if (browserStorage.get(askedKey) !== null) return false
  browserStorage.set(askedKey, 'yes')
  return true
}

/** What is known of this phone and account while the question is read: browsers ask for pushes right after a tap only. */
interface Ways {
  settings: NotificationSettings | null
  push: PushState | null
}
const known: { ways: Promise<Ways> | null } = { ways: null }

export function prepare(): void {
  const settings = ask(callByFetch, getNotificationSettings, { as: 'background' }).then(
    ({ answer }) => answer?.body ?? null,
  )
  const push = pushState().catch(() => null)
  known.ways = Promise.all([settings, push]).then(([settings, push]) => ({ settings, push }))
}

/** How reminders reach somebody: as a push on this phone, by mail, or in the list behind the bell alone. */
export type Reach = 'push' | 'email' | 'bell'

/**
 * Makes 15 minutes the default of the account and switches pushes on in this browser. Call it from a tap. `refused`: the default is as
 * before.
 */
export async function switchOn(): Promise<{ reach: Reach; email: string; refused: RefusedAnswer | null }> {
  const nothing: Ways = { settings: null, push: null }
  const tooLate = new Promise<Ways>((resolve) => setTimeout(() => resolve(nothing), patienceMs))
  const { settings, push } = await Promise.race([known.ways ?? nothing, tooLate])
  const isPushed = settings ? await pushHere(settings, push) : false
  const { answer, refused } = await ask(callByFetch, changeMe, {
    as: 'action',
    body: { default_reminder_min: usualReminder },
  })
  const email = answer?.body.email ?? ''
  return { reach: reachOf(settings, isPushed), email, refused }
}

async function pushHere({ push_key }: NotificationSettings, state: PushState | null): Promise<boolean> {
  if (push_key === '' || (state !== 'off' && state !== 'on')) return false
  if (state === 'off') await switchPushOn(push_key).catch(() => false)
  return (await pushState().catch(() => null)) === 'on'
}

export function reachOf(settings: NotificationSettings | null, isPushed: boolean): Reach {
  const channels = settings?.types.find(({ type }) => type === 'reminder')?.channels ?? []
  if (isPushed && channels.includes('push')) return 'push'
  return settings?.email_works && channels.includes('email') ? 'email' : 'bell'
}
