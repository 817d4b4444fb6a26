import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { addBusiness, addDeal } from '../../../test/cast.ts'
import { waitingForLocks } from '../../../test/locks.ts'
import { api, startTestApp } from '../../../test/start-app.ts'

/** Two work at once, a hundred wait. */
const queued = 102
const many = 120

it('While the look-ups of misspelt words are full, simple searches are answered and what is too much gets 503 with Retry-After', async () => {
  const app = await startTestApp()
  const answered: Awaited<ReturnType<typeof api>>[] = []
  try {
    await addDeal(app.db, await addBusiness(app.db, 'Café Rhein'), 'Kaffee und Gipfeli')
    await app.db.transaction().execute(async (trx) => {
      // every look-up of words that are alike now takes as long as this transaction
      await sql`lock table search_words, business_words in access exclusive mode`.execute(trx)
      for (let n = 0; n < many; n++)
        void api(app, `/api/deals/search?q=kaffeee${letters(n)}x`).then((answer) => answered.push(answer))
      await waitingForLocks(app, 2)
      const [simple, spelled, list] = await Promise.all([
        api(app, '/api/deals/search?category=&openNow=false&sponsored=false&radius=5'),
        api(app, '/api/deals/search?q=kaffee'),
        api(app, '/api/deals?limit=20'),
      ])
      for (const answer of [simple, spelled, list]) expect(answer.status, answer.text).toBe(200)
      expect(spelled.body).toHaveLength(1)
      await vi.waitFor(() => expect(answered.length).toBeGreaterThanOrEqual(many - queued), 2500)
      for (const answer of answered) {
        expect(answer.status, answer.text).toBe(503)
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(answer.body).toMatchObject({ code: 'unavailable' })
      }
    })
    await vi.waitFor(() => expect(answered).toHaveLength(many), 90_000)
    const map = await api(app, '/api/deals/search?view=map')
    expect(map.status, map.text).toBe(200)
  } finally {
    await app.close()
  }
})

/** So that no two ask for the same word. */
const letters = (n: number) => n.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)
