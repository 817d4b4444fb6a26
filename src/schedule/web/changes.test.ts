import { describe, expect, it } from 'vitest'
import type { ScheduleEntry } from '../contract.ts'
import { differing, merge, wishes, withChange, withChanges, type Beside, type Change } from './changes.ts'

const at = Date.parse('2026-06-20T19:00:00Z')
const earlier = '2026-06-20T18:00:00Z'
const after = '2026-06-20T20:00:00Z'

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
const change = (event_id: string, what: Change['what'], beside: Beside = {}, before?: Beside): Change => ({
  event_id,
  what,
  title: `Concert ${event_id}`,
  at,
  fields: wishes(beside, before, at),
  ...(what === 'add' && { event: event(event_id) }),
})

describe('changes made without a network', () => {
  it('are shown on top of what the server told last', () => {
    const shown = withChanges(
      [entry('a'), entry('b')],
      [change('a', 'change', { note: 'left of the stage' }, { note: null }), change('b', 'remove'), change('c', 'add')],
    )
    expect(shown.map((each) => [each.event.event_id, each.note])).toEqual([
      ['a', 'left of the stage'],
      ['c', null],
    ])
  })

  it.each([['a removal that is taken back is nothing', change('a', 'remove'), change('a', 'add'), []]])(
    'of one event become one: %s',
    (_, first, second, left) => {
      expect(withChange([first], second)).toEqual(left)
    },
  )

  it('of one event become one: an addition that is removed is a removal, and added once more it is an addition', () => {
    const removed = withChange([change('a', 'add')], change('a', 'remove'))
    expect(removed).toMatchObject([{ what: 'remove' }])
    expect(withChange(removed, change('a', 'add'))).toEqual([change('a', 'add')])
    expect(withChanges([], removed)).toEqual([])
  })

  it('of one event become one: an addition with a note is an addition that brings the note', () => {
    const [both] = withChange([change('a', 'add')], change('a', 'change', { note: 'late' }, { note: null }))
    expect(both).toMatchObject({ what: 'add', fields: { note: { value: 'late' } } })
  })

  it('of one field remember what it was before the first of them', () => {
    const first = change('a', 'change', { note: 'one' }, { note: null })
    const [both] = withChange([first], change('a', 'change', { note: 'two' }, { note: 'one' }))
    expect(both!.fields.note).toMatchObject({ value: 'two', before: null })
  })
})

describe('a change meets the server', () => {
  const noted = change('a', 'change', { note: 'mine' }, { note: null })

  it('and is sent where nothing else was said of the field, though the entry was changed later', () => {
    const { send, lost } = merge(noted, entry('a', { priority: 'must', updated_at: after }))
    expect(send).toEqual({ what: 'change', beside: { note: 'mine' } })
    expect(lost).toEqual([])
  })

  it('and wins over an earlier wish for the same field', () => {
    expect(merge(noted, entry('a', { note: 'theirs' })).send).toEqual({ what: 'change', beside: { note: 'mine' } })
  })

  it('and gives way to a later wish for the same field, which is said', () => {
    const { send, lost } = merge(noted, entry('a', { note: 'theirs', updated_at: after }))
    expect(send).toBeNull()
    expect(lost).toEqual([{ event_id: 'a', title: 'Concert a', why: 'later', field: 'note', text: 'mine' }])
  })

  it('and brings back what was removed elsewhere, with its note', () => {
    expect(merge(noted, null).send).toEqual({ what: 'add', beside: { note: 'mine' } })
  })

  it('and removes nothing that was changed later elsewhere, which is said', () => {
    expect(merge(change('a', 'remove'), entry('a')).send).toEqual({ what: 'remove', beside: {} })
    const { send, lost } = merge(change('a', 'remove'), entry('a', { updated_at: after }))
    expect(send).toBeNull()
    expect(lost.map(({ why }) => why)).toEqual(['stays'])
  })

  it('and is nothing where the server has it already', () => {
    expect(merge(change('a', 'add'), entry('a'))).toEqual({ send: null, lost: [] })
    expect(merge(change('a', 'remove'), null)).toEqual({ send: null, lost: [] })
  })
})

it('of note and reminders only what is not as it was is sent, so that a reminder overwrites no note of another device', () => {
  const opened = entry('a', { note: 'left of the stage' })
  const note = 'left of the stage'
  expect(differing({ note, reminders: [15, 30] }, opened)).toEqual({ reminders: [15, 30] })
  expect(differing({ note: null, reminders: [15] }, opened)).toEqual({ note: null })
  expect(differing({ note, reminders: [15] }, opened)).toEqual({})
})
