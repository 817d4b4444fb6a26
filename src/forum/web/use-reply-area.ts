import { useState } from 'react'

export interface ReplyArea {
  /** For the field itself. */
  ref: (area: HTMLTextAreaElement | null) => void
  /** Brings somebody to where they go on writing. */
  reach: () => void
}

/** The field of a reply. Its form comes after the page: who asked for it before is brought to it when it comes. */
export function useReplyArea(): ReplyArea {
  const [area] = useState(replyArea)
  return area
}

function replyArea(): ReplyArea {
  let here: HTMLTextAreaElement | null = null
  let isAwaited = false
  const reach = () => {
    isAwaited = here === null
    here?.focus()
    here?.scrollIntoView({ block: 'center' })
  }
  return {
    reach,
    ref(area) {
      here = area
      if (!area || !isAwaited) return
      // what was quoted meanwhile stands in it already
      area.setSelectionRange(area.value.length, area.value.length)
      reach()
    },
  }
}
