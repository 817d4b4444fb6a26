import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { addBusiness, addDeal } from '../../../test/cast.ts'
import { waitingForLocks } from '../../../test/locks.ts'
import { api, appForTest, type TestApp } from '../../../test/start-app.ts'

/** Four work at once, three hundred of one address wait. */
const [atWork, waiting] = [4, 300]

/** So that no two ask for the same word. */
const letters = (n: number) => n.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)

/** Search words that nobody spells so. Until the transaction ends each takes up a slot. */
const ask = (app: TestApp, address: string, path: string) => api(app, path, { headers: { 'x-forwarded-for': address } })
const misspelt = (n: number) => `/api/deals/search?limit=20&q=kaffeee${letters(n)}x`

async function cafe() {
  const app = await appForTest({ env: { TRUST_PROXY: 'on', REQUESTS_PER_SECOND: '100000' } })
  await addDeal(app.db, await addBusiness(app.db, 'Café Rhein'), 'Kaffee und Gipfeli')
  return app
}

/** While `work` runs no look-up of words that are alike comes to its end. */
async function whileLookUpsHang(app: TestApp, work: () => Promise<void>) {
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table search_words, business_words in access exclusive mode`.execute(trx)
    await work()
  })
}

it('a search of one address is answered before the many costly ones of another that came first', async () => {
  const app = await cafe()
  const order: string[] = []
  const answers: Promise<unknown>[] = []
  const note = (name: string, address: string, path: string) =>
    answers.push(
      ask(app, address, path).then(({ status, text }) => {
        if (name !== 'greedy') expect(status, text).toBe(200)
        order.push(name)
      }),
    )
  await whileLookUpsHang(app, async () => {
    for (let n = 0; n < 60; n++) note('greedy', '203.0.113.1', misspelt(n))
    await waitingForLocks(app, atWork)
    note('map', '203.0.113.2', '/api/deals/search?view=map')
    note('words', '203.0.113.3', '/api/deals/search?limit=20&q=kaffee')
    // what is simple waits for no turn, not even behind one's own costly searches
    const simple = ['/api/deals/search?limit=20&category=food', '/api/deals?limit=20', '/api/business?limit=20']
    for (const path of simple) {
      const { status, text } = await ask(app, '203.0.113.1', path)
      expect(status, text).toBe(200)
    }
    expect(order).toEqual([])
  })
  await Promise.all(answers)
  expect(order).toHaveLength(62)
  for (const name of ['map', 'words']) expect(order.indexOf(name), order.join(' ')).toBeLessThan(2 * atWork + 4)
})

it('of more costly searches than may wait of one address those too many get 503 with Retry-After, and others are answered', async () => {
  const app = await cafe()
  const refused: Awaited<ReturnType<typeof api>>[] = []
  const tooMany = 20
  const all: Promise<unknown>[] = []
  let other: Promise<Awaited<ReturnType<typeof api>>>
  await whileLookUpsHang(app, async () => {
    for (let n = 0; n < atWork + waiting + tooMany; n++)
      all.push(ask(app, '203.0.113.1', misspelt(n)).then((answer) => answer.status !== 200 && refused.push(answer)))
    await vi.waitFor(() => expect(refused.length).toBeGreaterThanOrEqual(tooMany), 90_000)
    other = ask(app, '203.0.113.2', '/api/deals/search?limit=20&q=kaffee')
  })
  expect((await other!).body).toHaveLength(1)
  for (const { status, headers, body } of refused) {
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body).toMatchObject({ code: 'unavailable' })
  }
  await Promise.all(all)
})
