import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { fillTown } from '../../../test/cast.ts'
import { saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { Deal } from '../../deals/contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ demo: true, pages: true })
})
afterEach(() => void vi.useRealTimers())
afterAll(() => app.close())

/** Twenty moments at different hours: every 8.5 hours for a week, from Saturday evening on. */
const moments = Array.from({ length: 20 }, (_, index) =>
  Temporal.Instant.from(saturdayEvening)
    .add({ minutes: index * 510 })
    .toString(),
)

const page = async (path: string, theme: string) =>
  (await fetch(`${app.url}${path}`, { headers: { cookie: `theme=${theme}`, 'accept-language': 'en' } })).text()
/** The text beside each round mark: when the deal can be used. */
const stateLines = (html: string) =>
  [...html.matchAll(/shrink-0 rounded-full border-2 [^"]*"><\/span>([^<]+)/g)].map(([, text]) => text!)
const between = (html: string, from: string, to: string) => html.slice(html.indexOf(from), html.indexOf(to))

it.each(moments)(
  'At %s the pages of home, list and map begin with deals that can be used soon, and show none that is over',
  async (at) => {
    app.setNow(at)
    // rendered screens use the clock of this process
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) })
    // fills the opening hours of several days, so every fifth moment is enough
    if (moments.indexOf(at) % 5 === 0) await fillTown(app, at)
    const ask = async (query: string): Promise<Deal[]> => (await fetch(`${app.url}/api/deals${query}`)).json()
    const soon = Date.parse(at) + 2 * 3_600_000
    const isSoon = ({ usable_now, usable_from, open_now }: Deal) =>
      usable_now === true || (open_now !== null && usable_from !== null && Date.parse(usable_from) <= soon)
    const everywhere = (await ask('?sort=best&limit=100')).filter(isSoon)
    const nearby = (await ask('/search?lat=47.5596&lon=7.5886&radius=5&limit=100')).filter(isSoon)
    const perMerchant = Map.groupBy(everywhere, ({ business_id }) => business_id)
    // home shows at most two deals of one merchant
    const atHome = [...perMerchant.values()].reduce((sum, deals) => sum + Math.min(2, deals.length), 0)

    for (const theme of ['paper', 'river']) {
      // a different address each time: a page is cached for a real second, whatever the test's clock says
      const answers = ['/', '/deals', '/dealsmap'].map((path) => page(`${path}?at=${moments.indexOf(at)}`, theme))
      const [home, list, map] = await Promise.all(answers)
      expect(home).toContain(`data-theme="${theme}"`)
      const shown = {
        home: stateLines(between(home!, 'Featured Deals', 'Upcoming Events')),
        list: stateLines(list!),
        map: stateLines(map!),
      }
      expect(shown.home).toHaveLength(4)
      expect(shown.list.length).toBeGreaterThan(10)
      expect(shown.map.length).toBeGreaterThan(10)
      const first = {
        home: shown.home.slice(0, Math.min(4, atHome)),
        list: shown.list.slice(0, Math.min(5, everywhere.length)),
        map: shown.map.slice(0, Math.min(5, nearby.length)),
      }
      for (const [where, lines] of Object.entries(first)) {
        const late = lines.filter((line) => !/^(Now\b|Until |\d+ min left|In \d)/.test(line))
        expect(late, `${where}, ${theme}`).toEqual([])
      }
      for (const [where, lines] of Object.entries(shown)) {
        const gone = lines.filter((line) => /^(Over|Sold out|Paused|Closed)/.test(line))
        expect(gone, `${where}, ${theme}`).toEqual([])
      }
    }
  },
)
