import { useState } from 'react'

export interface ReplyArea {
  ref: (area: HTMLTextAreaElement | null) => void
  /** Focuses the field and scrolls to it; if the form is not loaded yet, as soon as it is. */
  reach: () => void
}

/** Reaches the text field of the reply form, which loads after the page. */
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
      // put the cursor after a quote that was added before the form was loaded
      area.setSelectionRange(area.value.length, area.value.length)
      reach()
    },
  }
}
