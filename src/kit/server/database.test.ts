import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { query } from './statement.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('an instant of a statement', () => {
  it.each([
    '2026-06-20T17:30:00.000Z',
    '2026-06-20T17:30:00.250Z',
    '2026-06-20T17:30:00.007Z',
    '1969-12-31T23:59:59.900Z',
    '0099-01-01T00:00:00.000Z',
    '+012026-06-20T17:30:00.000Z',
  ])('%s comes as it crosses the wire', async (instant) => {
    const [row] = await query<{ at: string }>(app.db, 'select $at::timestamptz as at', {
      at: instant.replace(/^\+0/, ''),
    })
    expect(row!.at).toBe(instant)
  })
  it('is cut to milliseconds', async () => {
    const text = "select '2026-06-20 17:30:00.123987+00'::timestamptz as at, null::timestamptz as never, $a::int as a"
    expect(await query(app.db, text, { a: 1 })).toEqual([{ at: '2026-06-20T17:30:00.123Z', never: null, a: 1 }])
  })
  it('is a date in every other statement', async () => {
    const { rows } = await sql<{ at: Date }>`select ${'2026-06-20T17:30:00Z'}::timestamptz as at`.execute(app.db)
    expect(rows[0]!.at).toEqual(new Date('2026-06-20T17:30:00Z'))
  })
})
