import { useEffect, useEffectEvent } from 'react'

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
    let end: (() => void) | null = null
    let hasLeft = false
    // not needed to read; without it the page stays as it was opened
    import('../../live/web/follow.ts')
      .then(({ follow }) => {
        if (hasLeft) return
        end = follow([channel], { changed: (change) => change.channel === channel && soon(), missed: soon })
      })
      .catch(() => {})
    return () => {
      hasLeft = true
      clearTimeout(timer)
      end?.()
    }
  }, [topicId])
}
