import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { addBusiness, addDeal } from '../../../test/cast.ts'
import { waitingForLocks } from '../../../test/locks.ts'
import { api, appForTest, type TestApp } from '../../../test/start-app.ts'

/** Searches that run at once, and that may wait of one address. */
const [atWork, waiting] = [4, 300]

/** A number as letters, so that each search has its own word. */
const letters = (n: number) => n.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)

/** Sends a request from this address. */
const ask = (app: TestApp, address: string, path: string) => api(app, path, { headers: { 'x-forwarded-for': address } })
const misspelt = (n: number) => `/api/deals/search?limit=20&q=kaffeee${letters(n)}x`

async function cafe() {
  const app = await appForTest({ env: { TRUST_PROXY: 'on', REQUESTS_PER_SECOND: '100000' } })
  await addDeal(app.db, await addBusiness(app.db, 'Café Rhein'), 'Kaffee und Gipfeli')
  return app
}

/** Runs `work` while no look-up of similar words can finish. */
async function whileLookUpsHang(app: TestApp, work: () => Promise<void>) {
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table search_words, business_words in access exclusive mode`.execute(trx)
    await work()
  })
}

it('a search of one address is answered before earlier costly ones of another address', async () => {
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
    // simple requests do not wait, even behind costly ones of the same address
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

it('costly searches beyond the limit of an address get 503 with Retry-After, others are answered', async () => {
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
