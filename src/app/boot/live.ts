import { followPushes } from '../../notifications/web/follow-pushes.ts'
import { followUnread } from '../../notifications/web/unread.ts'

/** What hydrated pages follow, as one file that they load later. */
export { followUrgent } from '../../urgent/web/follow-urgent.ts'

/** Follows what concerns the account that is logged in. Returns how to stop. */
export function followOwn(onUnread: Parameters<typeof followUnread>[0]): () => void {
  const stops = [followUnread(onUnread), followPushes()]
  return () => stops.forEach((stop) => stop())
}
