import { useSyncExternalStore } from 'react'
import { newKey } from '../../kit/browser/new-key.ts'

/** What somebody has begun to write, kept in this browser until it is sent or thrown away. */
export interface Draft {
  body: string
  title?: string
  tags?: string
  category?: string
  lang?: string
  image_url?: string
  reply_to?: { number: number; name: string }
  /** Goes with the post, so that the same one sent again is one post. */
  key: string
}

/** Goes with who logs out, as what is typed into forms does. */
const prefix = 'typed:forum:'

/** The name of what somebody begins a new topic with. */
export const newTopicDraft = 'new'

/** The name of what somebody replies to a topic. */
export const draftOfTopic = (topicId: string) => `topic:${topicId}`

const emptyDraft = (): Draft => ({ body: '', key: newKey() })

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
    // what is only chosen is no draft
    const { key: _, category: __, lang: ___, ...written } = draft
    const isEmpty = Object.values(written).every((value) => value === undefined || value === '')
    if (isEmpty) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, JSON.stringify(draft))
  } catch {
    // storage is shut or full: then the text lives as long as the page
  }
}

const drafts = new Map<string, typeof onServer>()
const listeners = new Set<() => void>()
const onServer: { draft: Draft; wasKept: boolean } = { draft: { body: '', key: '' }, wasKept: false }

function draftOf(name: string): typeof onServer {
  const known = drafts.get(name)
  if (known) return known
  const kept = keptDraft(name)
  const begun = { draft: kept ?? emptyDraft(), wasKept: kept !== null }
  drafts.set(name, begun)
  return begun
}

function put(name: string, draft: Draft, wasKept: boolean) {
  keepDraft(name, draft)
  drafts.set(name, { draft, wasKept })
  for (const tell of listeners) tell()
}

function follow(tell: () => void) {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/** Gives a text back that was not posted, unless another one was begun. */
export function restoreDraft(name: string, draft: Omit<Draft, 'key'>): void {
  if (!draftOf(name).draft.body) put(name, { ...draft, key: newKey() }, true)
}

type Change = { [Name in keyof Draft]?: Draft[Name] | undefined }

/** The draft of this name, as it is written; the server's page has none. */
export function useDraft(name: string) {
  const { draft, wasKept } = useSyncExternalStore(
    follow,
    () => draftOf(name),
    () => onServer,
  )
  return {
    draft,
    /** It was there when the page was opened. */
    wasKept,
    /** `key`: of the draft that is meant; the next one is left as it is. */
    change: (more: Change, key?: string) => {
      const before = draftOf(name)
      if (key === undefined || key === before.draft.key)
        put(name, { ...before.draft, ...more } as Draft, before.wasKept)
    },
    clear: () => put(name, emptyDraft(), false),
  }
}
