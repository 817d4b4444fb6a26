import { createElement } from 'react'
import { expect, it, vi } from 'vitest'
import { wordsOf } from '../../../test/rendered.ts'
import type { ToastNote } from '../../kit/browser/ui/Toast.tsx'

const remove = vi.hoisted(() => vi.fn())
const add = vi.hoisted(() => vi.fn())
const entry = { entry_id: 'entry-1', event: { event_id: 'event-1' }, priority: 'want', note: 'left', reminders: [] }
vi.mock('react-router', async (load) => ({ ...(await load<object>()), useNavigate: () => () => {} }))
vi.mock('../../accounts/web/session.ts', async (load) => ({ ...(await load<object>()), currentSession: () => 'user' }))
vi.mock('./my-schedule.ts', async (load) => ({
  ...(await load<object>()),
  entryOf: () => entry,
  isInSchedule: () => false,
  remove,
  add,
}))

it('an undo of a removal restores the event with its note, priority and reminders', async () => {
  const { useSaving } = await import('./use-saving.ts')
  const notes: ToastNote[] = []
  const drawn = vi.fn<(saving: ReturnType<typeof useSaving>) => void>()
  function Button() {
    drawn(
      useSaving(
        (note) => notes.push(note),
        () => {},
      ),
    )
    return null
  }
  wordsOf(createElement(Button), '2026-06-20T12:00:00Z', 'en')
  const [saving] = drawn.mock.lastCall!
  const event = { event_id: 'event-1', title: 'Choir', starts_at: '', ends_at: null, status: 'scheduled' }
  saving.unsave(event)
  expect(remove).toHaveBeenCalledExactlyOnceWith(event)
  notes[0]!.action!.onClick()
  expect(add).toHaveBeenCalledExactlyOnceWith(entry.event, { priority: 'want', note: 'left', reminders: [] })
})
