import { followPushes } from '../../notifications/web/follow-pushes.ts'
import { followUnread } from '../../notifications/web/unread.ts'

/** What pages follow once they are alive: one file, so that it is loaded at once and nothing of it comes with a page. */
export { followUrgent } from '../../urgent/web/follow-urgent.ts'

/** Of who is logged in. */
export function followOwn(tell: Parameters<typeof followUnread>[0]): () => void {
  const ends = [followUnread(tell), followPushes()]
  return () => ends.forEach((end) => end())
}
