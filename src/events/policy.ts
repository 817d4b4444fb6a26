/** What visitors see of the programme, which changes are announced to them, and what an import may overwrite. */
import { savesShownFrom, type EventRowState } from './limits.ts'

/** What changed. `gone`: deleted or a draft again; `back`: published again while people still have it saved. */
export type ChangeKind = 'time' | 'place' | 'status' | 'text' | 'gone' | 'back'

/** What the rules need of an event; instants are ISO texts in UTC. */
export interface PlannedEvent {
  title: string
  description: string | null
  state: EventRowState
  starts_at: string
  ends_at: string | null
  /** undefined: false, in log entries from before there were all-day events. */
  all_day?: boolean | undefined
  stage_id: string | null
  /** What was announced before a move or a delay. */
  previous_starts_at: string | null
  previous_place: string | null
}

/** Drafts are for staff alone. null: deleted, or not made yet. */
export const isPublic = (event: Pick<PlannedEvent, 'state'> | null): boolean =>
  event !== null && event.state !== 'draft'

/** How many have saved an event, as visitors see it; null: too few to be shown. Staff see every number. */
export const publicSaves = (saves: number): number | null => (saves < savesShownFrom ? null : saves)

/** What is different for people who plan their day. */
export function changeKinds(before: PlannedEvent, after: PlannedEvent): ChangeKind[] {
  const kinds: ChangeKind[] = []
  const isRetimed = before.starts_at !== after.starts_at || before.ends_at !== after.ends_at
  if (isRetimed || (before.all_day ?? false) !== (after.all_day ?? false)) kinds.push('time')
  if (before.stage_id !== after.stage_id) kinds.push('place')
  if (before.state !== after.state)
    kinds.push(after.state === 'draft' ? 'gone' : before.state === 'draft' ? 'back' : 'status')
  if (before.title !== after.title || before.description !== after.description) kinds.push('text')
  return kinds
}

/**
 * What changed, for people who saved the event; empty: nothing to announce. An event that appears is announced only if somebody
 * still has it saved: it is back. An import makes thousands of new ones.
 */
export function announcedKinds(before: PlannedEvent | null, after: PlannedEvent | null, saves: number): ChangeKind[] {
  if (!isPublic(before) && (!isPublic(after) || saves === 0)) return []
  if (after === null) return ['gone']
  return before === null ? ['back'] : changeKinds(before, after)
}

/**
 * The event after an edit, with the move or delay that follows from it: later on the same stage is a delay, an earlier start
 * or another stage a move. The time and place that were announced first stay in `previous_…`; an event that is back there is
 * scheduled again. Drafts, and a place that becomes known, are no move. `places`: names of the stages, by id.
 */
export function noteMove<Planned extends PlannedEvent>(
  before: Planned,
  after: Planned,
  places: ReadonlyMap<string, string>,
): Planned {
  const hadPlace = before.stage_id !== null || before.previous_place !== null
  const hasMoved = hadPlace && before.stage_id !== after.stage_id
  const isRetimed = before.starts_at !== after.starts_at
  if (!isPublic(before) || !isPublic(after) || (!hasMoved && !isRetimed)) return after
  const nameOf = (stageId: string | null) => (stageId === null ? null : (places.get(stageId) ?? null))
  const firstStart = before.previous_starts_at ?? before.starts_at
  const firstPlace = before.previous_place ?? nameOf(before.stage_id)
  const isPlaceBack = hasMoved && firstPlace !== null && firstPlace === nameOf(after.stage_id)
  const previous_starts_at = firstStart === after.starts_at ? null : firstStart
  const previous_place = isPlaceBack ? null : hasMoved ? firstPlace : before.previous_place
  const isAway = hasMoved && !isPlaceBack
  const isBack = !isAway && previous_starts_at === null && previous_place === null
  const state = isBack ? 'scheduled' : isAway || after.starts_at <= firstStart ? 'moved' : 'delayed'
  return {
    ...after,
    state: after.state !== before.state || before.state === 'cancelled' ? after.state : state,
    previous_starts_at,
    previous_place,
  }
}

/**
 * What an import does with a field: a source that repeats itself changes nothing, and an edit of staff wins over the source.
 * Each value as a text: of the last import, as stored now, and of this file.
 */
export function importDecision(last: string, stored: string, wanted: string): 'unchanged' | 'write' | 'keep-edit' {
  if (last === wanted || stored === wanted) return 'unchanged'
  return stored === last ? 'write' : 'keep-edit'
}

/** An event that staff deleted stays deleted. One that the undo of an import deleted has no source fields: it comes back. */
export const isDeletedByStaff = (event: { is_deleted: boolean; source_said: unknown } | undefined): boolean =>
  event !== undefined && event.is_deleted && event.source_said !== null

/** Fewer removed and moved events are applied without a question, also in a small programme. */
const unaskedMost = 3

/** Whether a change of a programme that is read from an address waits for a yes: it removes or moves more than a fifth of what comes. */
export const needsConsent = ({ coming, removed, moved }: { coming: number; removed: number; moved: number }): boolean =>
  removed + moved > Math.min(unaskedMost, coming / 2) && (removed + moved) * 5 > coming
