import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { currentSession } from '../../accounts/web/session.ts'
import { follow } from '../../live/web/follow.ts'
import { countUnread } from '../contract.ts'

/**
 * Tells how many notifications are unread, now and whenever that changes. Asked in the background: a refusal says nothing
 * and ends nothing. @returns what ends it
 */
export function followUnread(tell: (unread: number) => void): () => void {
  let isOver = false
  const look = async () => {
    if (currentSession() === 'guest') return
    const { answer } = await ask(callByFetch, countUnread, { as: 'background' })
    if (answer && !isOver) tell(answer.body.unread)
  }
  void look()
  const end = follow([], {
    changed: ({ kind }) => void (kind.startsWith('notification') && look()),
    missed: () => void look(),
    // what came after the first look and before the stream
    joined: () => void look(),
  })
  return () => {
    isOver = true
    end()
  }
}
