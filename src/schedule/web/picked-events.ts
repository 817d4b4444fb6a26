import { useState } from 'react'
import { type ListedEvent, listEvents } from '../../events/contract.ts'
import { picksMost } from '../../kit/browser/picks.ts'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'

/**
 * The events of a guest's picks. Loads them again only for a new id; until the answer the known ones stay, and `isWhole` is false.
 * `events` null: not known yet, or refused.
 */
export function usePickedEvents(ids: readonly string[]): {
  events: ListedEvent[] | null
  isWhole: boolean
  refused: RefusedAnswer | null
} {
  const [asked, setAsked] = useState<readonly string[]>([])
  if (ids.some((id) => !asked.includes(id))) setAsked(ids)
  const { body, refused } = useAnswer(listEvents, asked.length > 0 ? { query: { ids: asked.join(',') } } : null)
  const [last, setLast] = useState<ListedEvent[] | null>(null)
  if (body && body !== last) setLast(body)
  const known = refused ? null : (body ?? last)
  return { events: known?.filter(({ event_id }) => ids.includes(event_id)) ?? null, isWhole: body !== null, refused }
}

/** Ids of the next events to import: those not in the schedule yet, as many as one request takes. */
export const nextToBring = (events: readonly { event_id: string }[], there: ReadonlySet<string>): string[] =>
  events.flatMap(({ event_id }) => (there.has(event_id) ? [] : event_id)).slice(0, picksMost)
