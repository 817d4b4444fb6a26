import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addBusiness, addDeal, fillTown } from '../../../test/cast.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { fold } from '../../kit/shared/search-fold.ts'
import { matchOf, termsOf } from './highlight.ts'
import type { ListedDeal } from '../contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const cafe = await addBusiness(app.db, 'Café Zürich', { category: 'drinks', open_hours: '24/7' })
  const plain = await addBusiness(app.db, 'Beiz', { open_hours: '24/7' })
  await addDeal(app.db, cafe, 'Kaffee und Gipfeli', { category: 'drinks', description: 'Kaffee aus der Region.' })
  await addDeal(app.db, plain, 'Teller des Tages', {
    category: 'food',
    tags: ['warm', 'Vegan'],
    description:
      'Jeden Abend kochen wir, was der Markt hergibt: im Herbst oft Rösti mit Spiegelei, im Sommer einen grossen Salat mit Brot vom Nachbarn.',
  })
  await addDeal(app.db, plain, 'Kuchen', { category: 'food', tags: ['süss'] })
  await fillTown(app, saturdayEvening)
})
afterAll(() => app.close())

/** The text with its marked parts in brackets. */
function marked({ text, spans }: { text: string; spans: { start: number; end: number }[] }): string {
  return spans
    .toReversed()
    .reduce(
      (result, { start, end }) => `${result.slice(0, start)}[${result.slice(start, end)}]${result.slice(end)}`,
      text,
    )
}

async function found(path: string): Promise<string[]> {
  const { body, status, text } = await api(app, path)
  expect(status, text).toBe(200)
  return body.flatMap((deal: ListedDeal) =>
    deal.match === null
      ? [deal.deal_name]
      : [
          [
            marked({ text: deal.deal_name, spans: deal.match.name }),
            deal.match.merchant.length > 0 && marked({ text: deal.business_name, spans: deal.match.merchant }),
            deal.match.tag && `#${marked(deal.match.tag)}`,
            deal.match.excerpt && marked(deal.match.excerpt),
          ]
            .filter(Boolean)
            .join(' | '),
        ],
  )
}

describe.each(['/api/deals?q=', '/api/deals/search?radius=50&q='])('%s', (path) => {
  it.each([
    ['kaffee', ['[Kaffee] und Gipfeli | [Café] Zürich']],
    ['caffe', ['[Kaffee] und Gipfeli | [Café] Zürich']],
    ['zurich', ['Kaffee und Gipfeli | Café [Zürich]']],
    ['Zuerich', ['Kaffee und Gipfeli | Café [Zürich]']],
    ['gipfel', ['Kaffee und [Gipfeli]']],
    // two letters swapped
    ['gifpeli', ['Kaffee und [Gipfeli]']],
    ['vegan', ['Teller des Tages | #[Vegan]']],
    [
      'roesti',
      [
        'Teller des Tages | … hergibt: im Herbst oft [Rösti] mit Spiegelei, im Sommer einen grossen Salat mit Brot vom …',
      ],
    ],
    [
      'markt',
      [
        'Teller des Tages | … Abend kochen wir, was der [Markt] hergibt: im Herbst oft Rösti mit Spiegelei, im Sommer einen …',
      ],
    ],
    ['nachbarn', ['Teller des Tages | … grossen Salat mit Brot vom [Nachbarn].']],
    // the words name a category
    ['getränke', ['Kaffee und Gipfeli']],
  ])('%s', async (typed, deals) => {
    expect(await found(path + encodeURIComponent(typed))).toEqual(deals)
  })
})

it('without a search nothing is marked', async () => {
  const { body } = await api(app, '/api/deals')
  expect(body.map((deal: ListedDeal) => deal.match)).toEqual([null, null, null])
})

it('words are folded as in the database', async () => {
  const letters = [..."aeiouyckphsstzrnnll AEOUÄÖÜäöüéèàâçïÿñßẞÆæŒœØø'’‘ʼ`-.,&0159ﬁ²", 'aaa', 'ZZZZ', 'tttt']
  const texts = fc.sample(fc.string({ unit: fc.constantFrom(...letters), maxLength: 24 }), { numRuns: 3000, seed: 7 })
  const { rows } = await sql<{ folded: string }>`
    select search_fold(t) as folded from unnest(${texts}::text[]) with ordinality as x (t, n) order by n`.execute(
    app.db,
  )
  for (const [n, { folded }] of rows.entries()) expect(fold(texts[n]!), texts[n]).toBe(folded)
})

it.each(["'", '’', '‘', 'ʼ', '`'])('a name with %s in it is marked whole', (apostrophe) => {
  const deal_name = `At McDonald${apostrophe}s, ${apostrophe}Rhein${apostrophe}`
  const found = (typed: string) =>
    matchOf({ deal_name, business_name: '', tags: [], description: null }, termsOf(`'${fold(typed)}':*`))
  const marks = (typed: string) => marked({ text: deal_name, spans: found(typed)?.name ?? [] })
  expect(marks('McDonalds')).toBe(`At [McDonald${apostrophe}s], ${apostrophe}Rhein${apostrophe}`)
  expect(marks('Rhein')).toMatch(/\[['’‘ʼ`]?Rhein\]/)
})

it('spans are within their texts, apart and in order, whatever the text', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 })
  fc.assert(
    fc.property(text, text, fc.string({ minLength: 1, maxLength: 3 }), (name, description, term) => {
      const folded = fold(term).trim()
      fc.pre(folded !== '')
      const deal = { deal_name: name, business_name: '', tags: [], description }
      const match = matchOf(deal, termsOf(`'${folded.replaceAll("'", "''")}':*`))
      for (const part of match ? [{ text: name, spans: match.name }, ...(match.excerpt ? [match.excerpt] : [])] : []) {
        let last = 0
        for (const { start, end } of part.spans) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          last = end
        }
        expect(last).toBeLessThanOrEqual(part.text.length)
      }
    }),
  )
})
