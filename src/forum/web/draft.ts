import { useEffect, useState } from 'react'

/** What somebody has begun to write, kept in this browser until it is sent or thrown away. */
export interface Draft {
  body: string
  title?: string
  tags?: string
  image_url?: string
  reply_to?: { number: number; name: string }
  /** Goes with the post, so that the same one sent again is one post. */
  key: string
}

const prefix = 'forum-draft:'

export const emptyDraft = (): Draft => ({ body: '', key: newKey() })

/** In the browser too, where `randomUUID` is missing on pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function keptDraft(name: string): Draft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(prefix + name) ?? 'null') as Partial<Draft> | null
    return typeof kept?.body === 'string' && typeof kept.key === 'string'
      ? { ...kept, body: kept.body, key: kept.key }
      : null
  } catch {
    return null
  }
}

function keepDraft(name: string, draft: Draft): void {
  try {
    const { key: _, ...written } = draft
    const isEmpty = Object.values(written).every((value) => value === undefined || value === '')
    if (isEmpty) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, JSON.stringify(draft))
  } catch {
    // storage is shut or full: then the text lives as long as the page
  }
}

/**
 * The draft of this name, as it is written. The server's page has none, so it comes once the page is alive; what was
 * typed before that wins.
 */
export function useDraft(name: string) {
  const [draft, setDraft] = useState<Draft>({ body: '', key: '' })
  const [wasKept, setWasKept] = useState(false)
  useEffect(() => {
    const kept = keptDraft(name)
    setWasKept(kept !== null)
    setDraft((typed) => kept ?? { ...typed, key: newKey() })
  }, [name])
  return {
    draft,
    /** It was there when the page was opened. */
    wasKept,
    change: (more: { [Name in keyof Draft]?: Draft[Name] | undefined }) =>
      setDraft((before) => {
        const now = { ...before, ...more, key: before.key || newKey() }
        keepDraft(name, now)
        return now
      }),
    clear: () => {
      setWasKept(false)
      const now = emptyDraft()
      keepDraft(name, now)
      setDraft(now)
    },
  }
}
