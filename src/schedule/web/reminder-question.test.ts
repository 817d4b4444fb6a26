import { describe, expect, it, vi } from 'vitest'
import { aBrowserWith } from '../../../test/stored-here.ts'
import type { NotificationSettings } from '../../notifications/contract.ts'
import { reachOf } from './reminder-question.ts'

const reminders = vi.hoisted(() => ({ of: [] as number[][] }))
vi.mock('./my-schedule.ts', () => ({ savedEntries: () => reminders.of.map((each) => ({ reminders: each })) }))

const inMinutes = (minutes: number) => ({
  event_id: 'event-1',
  title: 'Choir',
  starts_at: new Date(Date.now() + minutes * 60_000).toISOString(),
  ends_at: null,
  status: 'scheduled',
})
const question = async () => {
  aBrowserWith()
  return (await import('./reminder-question.ts')).mayAsk
}

describe('the question about reminders', () => {
  it('is asked once on a phone', async () => {
    const mayAsk = await question()
    expect(mayAsk(inMinutes(60))).toBe(true)
    expect(mayAsk(inMinutes(60))).toBe(false)
  })

  it('waits for an event of which a reminder is possible', async () => {
    const mayAsk = await question()
    expect(mayAsk(inMinutes(10))).toBe(false)
    expect(mayAsk({ ...inMinutes(60), all_day: true })).toBe(false)
    expect(mayAsk(inMinutes(60))).toBe(true)
  })

  it('is not asked of somebody who has reminders', async () => {
    const mayAsk = await question()
    reminders.of = [[], [30]]
    expect(mayAsk(inMinutes(60))).toBe(false)
    reminders.of = []
  })

  it('has an answer that names how the reminder arrives', () => {
    const settings = (channels: string[], email_works = true) =>
      ({ types: [{ type: 'reminder', channels }], email_works }) as NotificationSettings
    expect(reachOf(settings(['in_app', 'push']), true)).toBe('push')
    expect(reachOf(settings(['in_app', 'push']), false)).toBe('bell')
    expect(reachOf(settings(['in_app']), true)).toBe('bell')
    expect(reachOf(settings(['in_app', 'email']), false)).toBe('email')
    expect(reachOf(settings(['in_app', 'email'], false), false)).toBe('bell')
    expect(reachOf(null, false)).toBe('bell')
  })
})
