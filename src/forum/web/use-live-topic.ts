import { useEffect, useEffectEvent } from 'react'
import { follow } from '../../live/web/follow.ts'

/** Posts that come close together are shown together. */
const pauseMs = 400

/** Asks anew for what a page of the topic shows when somebody has written. */
export function useLiveTopic(topicId: string, refresh: () => void): void {
  const again = useEffectEvent(refresh)
  useEffect(() => {
    const channel = `topic:${topicId}`
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(again, pauseMs)
    }
    const end = follow([channel], { changed: (change) => change.channel === channel && soon(), missed: soon })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [topicId])
}
