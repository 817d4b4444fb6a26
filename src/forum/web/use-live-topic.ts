import { useEffect, useEffectEvent } from 'react'
import { throttle } from '../../kit/browser/throttle.ts'

/** Posts that come close together are shown together; in a topic where many write, a page asks every 2 s. */
const rhythm = { pauseMs: 400, restMs: 2_000 }

/** Asks anew for what a page of the topic shows when somebody has written. */
export function useLiveTopic(topicId: string, refresh: () => void): void {
  const again = useEffectEvent(refresh)
  useEffect(() => {
    const channel = `topic:${topicId}`
    const { soon, end: endNews } = throttle(again, rhythm)
    let end: (() => void) | null = null
    const over = new AbortController()
    const listen = async () => {
      const live = await import('../../live/web/follow.ts').catch(() => null)
      if (over.signal.aborted) return
      // the network went before the file came: it is fetched once there is one
      if (!live) return addEventListener('online', listen, { once: true, signal: over.signal })
      // joined: what was written after the page was made and before its stream began is told by nobody
      end = live.follow([channel], {
        changed: (change) => change.channel === channel && soon(),
        missed: soon,
        joined: soon,
      })
    }
    void listen()
    return () => {
      over.abort()
      endNews()
      end?.()
    }
  }, [topicId])
}
