import { useState } from 'react'

export interface ReplyArea {
  /** Ref of the field. */
  ref: (area: HTMLTextAreaElement | null) => void
  /** Focuses the field and scrolls to it; if the form is not loaded yet, as soon as it is. */
  reach: () => void
}

/** The field of a reply, whose form is loaded after the page. */
export function useReplyArea(): ReplyArea {
  const [area] = useState(replyArea)
  return area
}

function replyArea(): ReplyArea {
  let field: HTMLTextAreaElement | null = null
  let isAwaited = false
  const reach = () => {
    isAwaited = field === null
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  }
  return {
    reach,
    ref(area) {
      field = area
      if (!area || !isAwaited) return
      // continue after a quote that was added meanwhile
      area.setSelectionRange(area.value.length, area.value.length)
      reach()
    },
  }
}
