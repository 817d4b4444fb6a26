import type { FormValues } from '../../kit/browser/form-drafts.ts'
import { nightEndsMinute, wallTime } from '../../kit/shared/calendar.ts'
import { withoutCurrency } from '../../kit/shared/money.ts'
import { formTexts } from '../../kit/shared/form-text.ts'
import { emptyEventForm, type Event, type EventCategory, type EventRowState } from '../contract.ts'

/** A time as the value of a form field. */
const timeField = (iso: string | null | undefined, zone: string) => (iso ? wallTime(zone, Date.parse(iso)) : '')

/** The status that staff set. Of an event that is over the answer has `ended`: it follows from `previous`. */
function statusOf(event: Event | null): EventRowState {
  if (event?.status !== 'ended') return event?.status ?? 'scheduled'
  const before = event.previous?.starts_at
  if (event.previous?.venue || (before && before > event.starts_at)) return 'moved'
  return before ? 'delayed' : 'scheduled'
}

/** The form of an event: a text for each field; null: a new event. */
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

/** The wall time so many milliseconds after another. */
const wallLater = (wall: string, ms: number) => new Date(Date.parse(`${wall}Z`) + ms).toISOString().slice(0, 16)

/** The end after another start is typed: it moves along, unless an end was typed. While the start is half typed, the saved end. */
export function endBeside(fields: FormValues, saved: FormValues, start: string): string {
  const movedTo = (starts: string | undefined) => {
    const by = Date.parse(`${starts}Z`) - Date.parse(`${saved['starts_at']}Z`)
    return saved['ends_at'] && !Number.isNaN(by) ? wallLater(saved['ends_at'], by) : (saved['ends_at'] ?? '')
  }
  const shown = fields['ends_at'] ?? ''
  return shown === movedTo(fields['starts_at']) ? movedTo(start) : shown
}

const nightMs = nightEndsMinute * 60_000
const dayMs = 24 * 60 * 60_000
const dateOf = (wall: string | undefined, ms: number) => (wall ? wallLater(wall, ms).slice(0, 10) : '')

/** The days of the form's times, for an all-day event: a day ends at 06:00 of the next morning. */
export const daysOf = (fields: FormValues) => ({
  first: dateOf(fields['starts_at'], -nightMs),
  last: dateOf(fields['ends_at'], -nightMs - 60_000),
})
/** The times of the form for days that were typed; '' for none. */
export const startOfDay = (day: string) => day && `${day}T06:00`
export const endOfDay = (day: string) => day && wallLater(startOfDay(day), dayMs)

/** The request body of the form. `event`: as stored; null: a new one. */
export function eventBody(fields: FormValues, event: Event | null, zone: string) {
  const text = (field: string) => (fields[field] ?? '').trim()
  const before = fieldsOf(event, zone)
  /** Texts that are no number are sent as typed: the server refuses them with words. */
  const number = (typed: string) => {
    const dotted = typed.replace(',', '.')
    return /^\d+(\.\d+)?$/.test(dotted) ? Number(dotted) : dotted || null
  }
  const list = (field: string, between: RegExp) =>
    text(field)
      .split(between)
      .map((each) => each.trim())
      .filter(Boolean)
  const isStartChanged = text('starts_at') !== timeField(event?.starts_at, zone)
  const isEndChanged = text('ends_at') !== timeField(event?.ends_at, zone)
  const body = {
    title: text('title'),
    description: text('description') || null,
    category: text('category') as EventCategory,
    // an untouched time keeps its seconds
    ...(isStartChanged ? { starts_at: text('starts_at') } : {}),
    // always sent with another start: the server would move a missing end, away from the one that is shown
    ...(isStartChanged || isEndChanged ? { ends_at: text('ends_at') || null } : {}),
    stage_id: text('stage_id') || null,
    // only if changed, so that two performers of one name stay two; names may hold commas
    ...(text('performers') === before['performers']?.trim() ? {} : { performers: list('performers', /\n/) }),
    // only if changed: an import may have stored codes that the server would refuse
    ...(text('languages') === before['languages'] ? {} : { languages: list('languages', /[\n,]/) }),
    price_chf: number(withoutCurrency(text('price_chf'))),
    age_min: number(text('age_min')),
    ticket_url: text('ticket_url') || null,
    family_friendly: text('family_friendly') !== '',
    all_day: text('all_day') !== '',
    image_url: text('image_url') || null,
  }
  return {
    body,
    starts_at: text('starts_at'),
    status: text('status') as EventRowState,
    // an unchanged status is not sent: the server sets moved and delayed by itself
    isStatusChanged: text('status') !== before['status'],
    reason: text('reason') || null,
  }
}
