import type { FormValues } from '../../kit/browser/form-drafts.ts'
import { wallTime } from '../../kit/shared/calendar.ts'
import { withoutCurrency } from '../../kit/shared/money.ts'
import { formTexts } from '../../kit/shared/form-text.ts'
import { emptyEventForm, type Event, type EventCategory, type EventRowState } from '../contract.ts'

/** A time as fields of forms take it. */
const timeField = (iso: string | null | undefined, zone: string) => (iso ? wallTime(zone, Date.parse(iso)) : '')

/** Of an event that is over the answer says no status; what was announced before tells it. */
function statusOf(event: Event | null): EventRowState {
  if (event?.status !== 'ended') return event?.status ?? 'scheduled'
  const before = event.previous?.starts_at
  if (event.previous?.venue || (before && before > event.starts_at)) return 'moved'
  return before ? 'delayed' : 'scheduled'
}

/** What the fields of the form begin with. */
export function fieldsOf(event: Event | null, zone: string): FormValues {
  return {
    ...(event ? formTexts(emptyEventForm, event) : { ...emptyEventForm, category: 'music' }),
    starts_at: timeField(event?.starts_at, zone),
    ends_at: timeField(event?.ends_at, zone),
    status: statusOf(event),
    performers: event?.performers.map(({ performer_name }) => performer_name).join('\n') ?? '',
    reason: '',
  }
}

/** So many milliseconds after a wall time, as a wall time. */
const wallLater = (wall: string, ms: number) => new Date(Date.parse(`${wall}Z`) + ms).toISOString().slice(0, 16)

/**
 * The end that is shown once another start is typed: it moves along, unless somebody has typed an end of their own. Of starts
 * that are half typed it is the saved one.
 */
export function endBeside(fields: FormValues, saved: FormValues, start: string): string {
  const movedTo = (starts: string | undefined) => {
    const by = Date.parse(`${starts}Z`) - Date.parse(`${saved['starts_at']}Z`)
    return saved['ends_at'] && !Number.isNaN(by) ? wallLater(saved['ends_at'], by) : (saved['ends_at'] ?? '')
  }
  const shown = fields['ends_at'] ?? ''
  return shown === movedTo(fields['starts_at']) ? movedTo(start) : shown
}

/** What the form of an event says; `event`: as it was before. */
export function saidIn(fields: FormValues, event: Event | null, zone: string) {
  const said = (field: string) => (fields[field] ?? '').trim()
  const before = fieldsOf(event, zone)
  /** What is no plain number is left to the server to refuse. */
  const number = (typed: string) => {
    const text = typed.replace(',', '.')
    return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text || null
  }
  const list = (field: string, between: RegExp) =>
    said(field)
      .split(between)
      .map((each) => each.trim())
      .filter(Boolean)
  const isStartSaid = said('starts_at') !== timeField(event?.starts_at, zone)
  const isEndSaid = said('ends_at') !== timeField(event?.ends_at, zone)
  const body = {
    title: said('title'),
    description: said('description') || null,
    category: said('category') as EventCategory,
    // an untouched time keeps its seconds
    ...(isStartSaid ? { starts_at: said('starts_at') } : {}),
    // with another start the server would move an end that is not said, so that another one were saved than is shown
    ...(isStartSaid || isEndSaid ? { ends_at: said('ends_at') || null } : {}),
    stage_id: said('stage_id') || null,
    // untouched ones stay as they are, also two of one name; a name may hold a comma
    ...(said('performers') === before['performers']?.trim() ? {} : { performers: list('performers', /\n/) }),
    // an import may have brought what the form would not take
    ...(said('languages') === before['languages'] ? {} : { languages: list('languages', /[\n,]/) }),
    price_chf: number(withoutCurrency(said('price_chf'))),
    age_min: number(said('age_min')),
    ticket_url: said('ticket_url') || null,
    family_friendly: said('family_friendly') !== '',
    image_url: said('image_url') || null,
  }
  return {
    body,
    starts_at: said('starts_at'),
    status: said('status') as EventRowState,
    // untouched, a move or delay names itself
    isStatusSaid: said('status') !== before['status'],
    reason: said('reason') || null,
  }
}
