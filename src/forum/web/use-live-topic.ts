import { useEffect, useEffectEvent } from 'react'
import { throttle } from '../../kit/browser/throttle.ts'

/** Groups posts that come close together; in a busy topic, a page refreshes every 2 s. */
const rhythm = { pauseMs: 400, restMs: 2_000 }

/** Calls `refresh` when the topic has changed. */
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
      // offline before the file was loaded: try again once online
      if (!live) return addEventListener('online', listen, { once: true, signal: over.signal })
      // joined: no message tells of posts between the rendering of the page and the start of its stream
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
