import { afterAll, beforeAll, expect, it } from 'vitest'
import { addEvent } from '../../../test/cast.ts'
import { checkEveryField } from '../../../test/every-field.ts'
import { aVisitor, get, post } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { entryFields } from '../entry.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('an entry of a schedule loses no field that can be sent: made, changed, left alone, emptied', async () => {
  const { authToken: token } = await aVisitor(app)
  const event_id = await addEvent(app.db, 'Opening', '2026-06-20T18:00:00Z')
  const create = async (values: object) => {
    const { status, text, body } = await post(app, '/api/schedule', { event_id, ...values }, { token })
    expect(status, text).toBe(201)
    return body.entry.entry_id as string
  }
  const change = async (id: string, values: object) => {
    const { status, text } = await post(app, `/api/schedule/${id}`, values, { method: 'PATCH', token })
    expect(status, text).toBe(200)
  }
  const read = async () => (await get(app, '/api/schedule', token)).body.entries[0]
  await checkEveryField(
    entryFields,
    {
      priority: ['must', 'maybe'],
      note: ['Meet Tom at the stage.', 'Meet Tom at the bar.'],
      reminders: [[15, 60], [30]],
    },
    { create, change, read },
    { needed: ['priority'], emptiedBy: { reminders: [] } },
  )
})
