import { describe, expect, it } from 'vitest'
import type { Intent } from '../../kit/browser/outbox.ts'
import type { ScheduleEntry } from '../contract.ts'
import { differing, openSchedule, type EntryChange, type EntryEdit, type Schedule } from './schedule-intents.ts'

const at = Date.parse('2026-06-20T19:00:00Z')
const earlier = '2026-06-20T18:00:00Z'

const event = (event_id: string) =>
  ({ event_id, title: `Concert ${event_id}`, starts_at: '2026-06-20T21:00:00Z' }) as ScheduleEntry['event']
const entry = (event_id: string, more: Partial<ScheduleEntry> = {}): ScheduleEntry => ({
  entry_id: `entry-${event_id}`,
  priority: 'want',
  note: null,
  reminders: [15],
  created_at: earlier,
  updated_at: earlier,
  event: event(event_id),
  ...more,
})
const change = (subject: string, what: EntryChange['what'], fields: EntryEdit = {}): Intent<EntryChange> => ({
  key: `${subject} ${what}`,
  kind: 'schedule',
  subject,
  owner: 'user-lena',
  at,
  data: { what, title: `Concert ${subject}`, fields, ...(what === 'add' && { event: event(subject) }) },
})
const { intents } = openSchedule({} as never, {} as never, () => 'user-lena')
const shown = (entries: ScheduleEntry[], changes: Intent<EntryChange>[]) =>
  changes.reduce(intents.apply, { ...intents.empty, entries } as Schedule).entries
const merged = (earlier: Intent<EntryChange>, later: Intent<EntryChange>) => intents.merge(earlier, later)?.data

describe('unsent changes', () => {
  it('are shown on top of the last answer', () => {
    const changes = [change('a', 'change', { note: 'left of the stage' }), change('b', 'remove'), change('c', 'add')]
    expect(shown([entry('a'), entry('b')], changes).map((each) => [each.event.event_id, each.note])).toEqual([
      ['a', 'left of the stage'],
      ['c', null],
    ])
  })

  it('of one event are merged: an addition and a removal are a removal, with another addition an addition', () => {
    const removed = intents.merge(change('a', 'add'), change('a', 'remove'))!
    expect(removed.data.what).toBe('remove')
    expect(merged(removed, change('a', 'add'))).toEqual(change('a', 'add').data)
    expect(shown([], [removed])).toEqual([])
  })

  it('of an event that was removed and restored send its fields and change no others', () => {
    const back = intents.merge(change('a', 'remove'), change('a', 'add', { note: 'late' }))!
    expect(back.data).toMatchObject({ what: 'add', fields: { note: 'late' } })
    expect(shown([entry('a', { priority: 'must' })], [back])).toMatchObject([{ priority: 'must', note: 'late' }])
  })

  it('of one event are merged: an addition and a note are an addition with the note', () => {
    expect(merged(change('a', 'add'), change('a', 'change', { note: 'late' }))).toMatchObject({
      what: 'add',
      fields: { note: 'late' },
      event: { event_id: 'a' },
    })
  })

  it('of one field: the last is sent; two fields are sent apart, each with the time of its tap', () => {
    const [one, two] = [change('a', 'change', { note: 'one' }), change('a', 'change', { note: 'two' })]
    expect(merged(one, two)).toEqual(two.data)
    expect(intents.merge(one, change('a', 'change', { priority: 'must' }))).toBeUndefined()
  })
})

it('of note and reminders only the changed one is sent, so that a reminder overwrites no note of another device', () => {
  const opened = entry('a', { note: 'left of the stage' })
  const note = 'left of the stage'
  expect(differing({ note, reminders: [15, 30] }, opened)).toEqual({ reminders: [15, 30] })
  expect(differing({ note: null, reminders: [15] }, opened)).toEqual({ note: null })
  expect(differing({ note, reminders: [15] }, opened)).toEqual({})
})
