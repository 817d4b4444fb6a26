import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { currentSession } from '../../accounts/web/session.ts'
import { follow } from '../../live/web/follow.ts'
import { countUnread } from '../contract.ts'

/**
 * Calls `onCount` with the number of unread notifications, now and after each change. Asked in the background, so a refusal does not
 * end the session. @returns stops following
 */
export function followUnread(onCount: (unread: number) => void): () => void {
  let isOver = false
  const look = async () => {
    if (currentSession() === 'guest') return
    const { answer } = await ask(callByFetch, countUnread, { as: 'background' })
    if (answer && !isOver) onCount(answer.body.unread)
  }
  void look()
  const end = follow([], {
    changed: ({ kind }) => void (kind.startsWith('notification') && look()),
    missed: () => void look(),
    // Notifications may have come between the first look and the start of the stream.
    joined: () => void look(),
  })
  return () => {
    isOver = true
    end()
  }
}
