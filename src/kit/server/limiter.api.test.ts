import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { openDatabase, whileReading, WroteWhileReading } from './database.ts'
import { createLimiter } from './limiter.ts'

let app: TestApp
let opened: ReturnType<typeof openDatabase>
beforeAll(async () => {
  app = await startTestApp()
  opened = openDatabase({ connectionString: app.databaseUrl })
})
afterAll(async () => {
  await opened.db.destroy()
  await app.close()
})

it.each(['take', 'wait'] as const)(
  'a limit that was reached while the clock was a day ahead ends one window from now (%s)',
  async (ask) => {
    const limiter = createLimiter(opened.pool, { name: `test-${ask}`, points: 2, durationS: 1800 })
    for (let n = 0; n < 3; n++) await limiter.take('lena')
    const row = () =>
      app.db
        .selectFrom('rate_limits')
        .select(['expire', 'points'])
        .where('key', '=', `test-${ask}:lena`)
        .executeTakeFirstOrThrow()
    const ahead = Number((await row()).expire) + 86_400_000
    await app.db.updateTable('rate_limits').set({ expire: ahead }).where('key', '=', `test-${ask}:lena`).execute()
    expect(await limiter[ask]('lena')).toBe(1800)
    // the next call and the table have the new end too
    expect(await limiter[ask]('lena')).toBeLessThanOrEqual(1800)
    expect(Number((await row()).expire)).toBeLessThan(ahead - 80_000_000)
    expect((await row()).points).toBeGreaterThan(2)
  },
)

it('a rule that only reads may check a limit, and fails when it counts', async () => {
  const limiter = createLimiter(opened.pool, { name: 'test-reading', points: 2, durationS: 1800 })
  await expect(whileReading(() => limiter.wait('lena'))).resolves.toBe(0)
  for (const count of ['take', 'giveBack', 'forget'] as const)
    await expect(whileReading(async () => limiter[count]('lena'))).rejects.toThrow(WroteWhileReading)
  expect(await limiter.take('lena')).toBe(0)
})
