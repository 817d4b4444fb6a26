import { useSyncExternalStore } from 'react'
import { newKey } from '../../kit/browser/new-key.ts'

/** An unsent text, stored in this browser until it is sent or discarded. */
export interface Draft {
  body: string
  title?: string
  tags?: string
  category?: string
  lang?: string
  image_url?: string
  reply_to?: { number: number; name: string }
  /** Idempotency key: a post that is sent twice is stored once. */
  key: string
}

/** Logging out deletes everything with the prefix `typed:`. */
const prefix = 'typed:forum:'

/** The name of the draft of a new topic. */
export const newTopicDraft = 'new'

/** The name of the draft of a reply. */
export const draftOfTopic = (topicId: string) => `topic:${topicId}`

const emptyDraft = (): Draft => ({ body: '', key: newKey() })

function storedDraft(name: string): Draft | null {
  try {
    const stored = JSON.parse(localStorage.getItem(prefix + name) ?? 'null') as Partial<Draft> | null
    return typeof stored?.body === 'string' && typeof stored.key === 'string'
      ? { ...stored, body: stored.body, key: stored.key }
      : null
  } catch {
    return null
  }
}

function storeDraft(name: string, draft: Draft): void {
  try {
    // a chosen category or language alone is no draft
    const { key: _, category: __, lang: ___, ...written } = draft
    const isEmpty = Object.values(written).every((value) => value === undefined || value === '')
    if (isEmpty) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, JSON.stringify(draft))
  } catch {
    // storage is blocked or full: the text lasts as long as the page
  }
}

const drafts = new Map<string, typeof onServer>()
const listeners = new Set<() => void>()
const onServer: { draft: Draft; wasStored: boolean } = { draft: { body: '', key: '' }, wasStored: false }

function draftOf(name: string): typeof onServer {
  const known = drafts.get(name)
  if (known) return known
  const stored = storedDraft(name)
  const begun = { draft: stored ?? emptyDraft(), wasStored: stored !== null }
  drafts.set(name, begun)
  return begun
}

function put(name: string, draft: Draft, wasStored: boolean) {
  storeDraft(name, draft)
  drafts.set(name, { draft, wasStored })
  for (const listener of listeners) listener()
}

function follow(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Makes a refused text the draft again, unless there is another draft. */
export function restoreDraft(name: string, draft: Omit<Draft, 'key'>): void {
  if (!draftOf(name).draft.body) put(name, { ...draft, key: newKey() }, true)
}

type DraftChange = { [Name in keyof Draft]?: Draft[Name] | undefined }

/** The draft of this name, live; empty when the server renders. */
export function useDraft(name: string) {
  const { draft, wasStored } = useSyncExternalStore(
    follow,
    () => draftOf(name),
    () => onServer,
  )
  return {
    draft,
    /** The draft was stored before the page was opened. */
    wasStored,
    /** `key`: changes the draft only if it still has this key, for answers that come after it was sent. */
    change: (more: DraftChange, key?: string) => {
      const before = draftOf(name)
      if (key === undefined || key === before.draft.key)
        put(name, { ...before.draft, ...more } as Draft, before.wasStored)
    },
    clear: () => put(name, emptyDraft(), false),
  }
}
