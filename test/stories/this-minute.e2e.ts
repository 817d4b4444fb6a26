import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { overAt } from '../../src/events/web/card-event.ts'
import { placeOf } from '../../src/events/web/event-place.ts'
import type { Event } from '../../src/events/contract.ts'
import type { Deal } from '../../src/deals/contract.ts'
import { dealTime } from '../../src/deals/times.ts'
import { isInTime, wayOf } from '../../src/kit/browser/here-and-now.ts'
import { distanceKm, type Position } from '../../src/kit/shared/geo.ts'
import { fillTown } from '../cast.ts'
import { aVisitor, get, logIn, post, type Person } from '../people.ts'
import { hydrated, inBrowser, phone, useBrowser } from './browser.ts'

const hours = ['01:00', '05:30', '09:00', '12:00', '17:30', '21:30', '23:50']
const days = ['2026-06-17', '2026-06-18', '2026-06-19', '2026-06-20', '2026-06-21', '2026-06-22']
/** Forty: from two days before the festival to the evening after it, in Basel. */
const instants = days
  .flatMap((day) => hours.map((hour) => `${day}T${hour}`))
  .slice(0, 40)
  .map((wall) => Temporal.PlainDateTime.from(wall).toZonedDateTime('Europe/Zurich').toInstant().toString())

/** The railway station, 20 minutes on foot from most stages. */
const station: Position = { latitude: 47.548, longitude: 7.59 }
const around = `lat=${station.latitude}&lon=${station.longitude}`

interface Thing {
  kind: 'deal' | 'event'
  id: string
}

inBrowser('this minute', () => {
  const at = useBrowser({ demo: true, now: instants[0]! })
  let lena: Person

  beforeAll(async () => {
    lena = await aVisitor(at.app)
    await at.app.db
      .updateTable('accounts')
      .set({ verified_at: new Date(instants[0]!) })
      .execute()
  })
  afterEach(() => void vi.useRealTimers())

  /** Sets the clock of rules and that by which pages are rendered. */
  async function putTime(instant: string) {
    at.app.setNow(instant)
    vi.useFakeTimers({ now: Date.parse(instant), toFake: ['Date'] })
    // opening hours of several days
    if (instants.indexOf(instant) % hours.length === 0) await fillTown(at.app, instant)
  }

  const html = async (path: string) =>
    // a page is cached for a real second, whatever the test's clock says
    (await fetch(`${at.app.url}${path}${path.includes('?') ? '&' : '?'}at=${Date.now()}`)).text()
  const dealOf = async (id: string) => (await get(at.app, `/api/deals/${id}`)).body as Deal
  const eventOf = async (id: string) => (await get(at.app, `/api/events/${id}`)).body as Event
  const list = async <Row>(path: string) => (await get(at.app, path)).body as Row[]

  const canReach = (
    place: Partial<Record<keyof Position, number | null>> | null,
    until: string | null,
    from: Position,
  ) =>
    typeof place?.latitude !== 'number' || typeof place.longitude !== 'number'
      ? true
      : isInTime(wayOf(distanceKm(from, place as Position), true), until, Date.now())
  const isUsable = (deal: Deal, from: Position | null) =>
    dealTime(deal, Date.now()).is === 'now' && (!from || canReach(deal, deal.usable_until, from))
  const isLeft = (event: Event, from: Position | null) =>
    overAt(event) > Date.now() &&
    event.status !== 'cancelled' &&
    (!from || canReach(placeOf(event), event.ends_at, from))

  /** What is wrong with the first thing of a page; null: nothing. `from`: the position of the phone. */
  async function fault(thing: Thing | null, from: Position | null): Promise<string | null> {
    if (thing?.kind === 'event') {
      const event = await eventOf(thing.id)
      if (isLeft(event, from)) return null
      const others = await list<Event>('/api/events?upcoming=true&limit=100')
      return others.some((each) => isLeft(each, from)) ? `${event.title}: over, cancelled or too far` : null
    }
    const nearby = from
      ? `/api/deals/search?${around}&radius=5&limit=100&sort=soonest`
      : '/api/deals?sort=best&limit=100'
    const others = await list<Deal>(nearby)
    // an empty list names the next deal only if there is one
    if (!thing) return from === null || others.some((each) => isUsable(each, from)) ? 'nothing' : null
    const deal = await dealOf(thing.id)
    if (isUsable(deal, from)) return null
    if (others.some((each) => isUsable(each, from))) return `${deal.deal_name}: unusable or too far`
    // nothing can be used: the next one
    return dealTime(deal, Date.now()).is === 'past' ? `${deal.deal_name}: past` : null
  }

  /** What the main button of a thing's page answers; null: no refusal. */
  async function refusal({ kind, id }: Thing): Promise<string | null> {
    const shown = (await html(`/${kind}/${id}`)).replace(/^[^]*<main/, '')
    Object.assign(lena, await logIn(at.app, '/api/auth/login', lena.email))
    const token = lena.authToken
    if (kind === 'event') {
      if (!shown.includes('Add to My Schedule')) return 'no button'
      const { status, text, body } = await post(at.app, '/api/schedule', { event_id: id }, { token })
      if (status >= 300) return text
      await post(at.app, `/api/schedule/${body.entry.entry_id}`, undefined, { token, method: 'DELETE' })
      return null
    }
    if (shown.includes('Show at the counter')) {
      const ticket = await html(`/deal/${id}?show=counter`)
      return ticket.includes('Not valid now') ? 'Not valid now' : null
    }
    if (!shown.includes('Get code')) return null
    const { status, text, body } = await post(at.app, `/api/deals/${id}/claim`, undefined, { token })
    if (status >= 300) return text
    await post(at.app, `/api/me/claims/${body.claim_id}`, undefined, { token, method: 'DELETE' })
    return null
  }

  it.each(instants)(
    'at %s the first thing of home, deals, map and events is possible, and so is its button',
    async (instant) => {
      await putTime(instant)
      const faults: Record<string, string> = {}
      const buttons = new Map<string, Thing>()
      for (const [path, from] of [
        ['/', null],
        ['/deals', null],
        ['/dealsmap', null],
        ['/events', null],
        [`/deals?openNow=true&${around}`, station],
        [`/dealsmap?openNow=true&near=${station.latitude},${station.longitude}`, station],
      ] as const) {
        const first = firstIn(await html(path))
        const wrong = await fault(first, from)
        if (wrong) faults[path] = wrong
        if (first && (first.kind === 'deal' || isLeft(await eventOf(first.id), null))) buttons.set(first.id, first)
      }
      for (const thing of buttons.values()) {
        const refused = await refusal(thing)
        if (refused) faults[`/${thing.kind}/${thing.id}`] = refused
      }
      expect(faults).toEqual({})
    },
  )

  it('home and the programme begin, for somebody far away, with what they can reach', async () => {
    const { page, context } = await at.visit('/robots.txt', { viewport: phone })
    await context.addInitScript(`sessionStorage.setItem('here', '${station.latitude},${station.longitude}')`)
    for (const instant of instants) {
      await putTime(instant)
      await page.clock.setFixedTime(Date.parse(instant))
      for (const path of ['/', '/events']) {
        await page.goto(`${path}?at=${Date.parse(instant)}`)
        await hydrated(page)
        // the position is known right after hydration
        await expect
          .poll(async () => fault(firstIn(await mainOf(page)), station), { message: `${path} at ${instant}` })
          .toBe(null)
      }
    }
  })
})

const mainOf = (page: Page) => page.evaluate(() => document.querySelector('main')!.outerHTML)

/** The first deal or event that a page lists, without what is folded. */
function firstIn(page: string): Thing | null {
  const main = page
    .slice(page.indexOf('<main'), page.indexOf('</main>'))
    .replace(/<details[^]*?<\/details>/g, '')
    .replace(/<script[^]*?<\/script>/g, '')
  const [, own, id, onMap] =
    /href="(?:\/(deal|event)\/([\w-]{36})["?]|\/dealsmap\?[^"]*?\bdeal=([\w-]{36}))/.exec(main) ?? []
  if (onMap) return { kind: 'deal', id: onMap }
  return own ? { kind: own as Thing['kind'], id: id! } : null
}
