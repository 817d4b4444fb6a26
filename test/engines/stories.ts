import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { goodPassword } from '../good-password.ts'
import { addDeal, addEvent, addStage } from '../cast.ts'
import { aMerchant, aVisitor, get, post, type Person } from '../people.ts'
import { startTestApp, type TestApp } from '../start-app.ts'
import { everyPage, everyRole, isFor } from '../stories/every-page.ts'
import type { EngineName, Window } from './engine.ts'
import { startGate, type Gate } from './gate.ts'
import { oldSafari } from './old-safari.ts'
import { startByPuppeteer } from './puppeteer-window.ts'
import { beginning, visitor, type Visitor } from './visitor.ts'
import { startByWebDriver } from './webdriver-window.ts'

/** Starts the engine; null if it is not installed. */
function starterOf(engine: EngineName): (() => Promise<{ window: Window; stop(): Promise<void> }>) | null {
  const [chromium, firefox, webkit] = [inject('chromium'), inject('firefox'), inject('webkit')]
  const starters = {
    chromium: chromium === null ? null : () => startByPuppeteer('chrome', chromium),
    firefox: firefox === null ? null : () => startByPuppeteer('firefox', firefox),
    webkit: webkit === null ? null : () => startByWebDriver(webkit),
  }
  return starters[engine]
}

/**
 * The stories of one engine: the evening of visitors and merchants, or every page, also offline. They are two test files, which run at the
 * same time. If the engine is not installed, they are skipped.
 */
export function standingStories(engine: EngineName, part: 'evening' | 'pages'): void {
  const start = starterOf(engine)
  const when = start ? describe : describe.skip
  when(`${part === 'evening' ? 'an evening' : 'the pages'} in ${engine}`, () => {
    const titles = ['Wellenprobe Alpha', 'Wellenprobe Beta'] as const
    let app: TestApp
    let gate: Gate
    let ids: string[]
    let deal: string
    let bar: Person & { businessId: string }

    beforeAll(async () => {
      app = await startTestApp({ pages: true, demo: true, now: null, env: { PAYMENTS: 'test' } })
      gate = await startGate(app)
      gate.script = beginning()
      const stage = await addStage(app.db, 'Westufer')
      ids = [
        await addEvent(app.db, titles[0], '2026-06-20T18:30:00Z', { stage_id: stage }),
        await addEvent(app.db, titles[1], '2026-06-20T19:00:00Z', { stage_id: stage }),
      ]
      bar = await aMerchant(app, 'bar@example.org', { business_name: 'Bar Nord', address: 'Rheingasse 1\n4058 Basel' })
      deal = await addDeal(app.db, bar.businessId, 'Spritz on the river', {
        redemption_mode: 'code',
        price_rappen: 850,
      })
    })
    afterAll(async () => {
      await gate?.close()
      await app?.close()
    })

    /** A person with their own browser, which is closed after the story. */
    async function arrives(path: string, who?: Person): Promise<Visitor> {
      const started = await start!()
      onTestFinished(() => started.stop())
      const arrived = visitor(started.window, gate.url)
      if (who) {
        await arrived.open('/contact')
        const { authToken, refreshToken, userType, businessId } = who
        await arrived.put({ authToken, refreshToken, userType, ...(businessId ? { businessId } : {}) })
      }
      await arrived.open(path)
      await arrived.alive()
      return arrived
    }

    const evening = () => {
      it('opens home, filtered deals, the map, the programme as a list and a timetable, and an event', async () => {
        const lena = await arrives('/')
        await lena.sees('Featured Deals')
        await lena.tap({ role: 'link', name: 'Deals' })
        await lena.isAt(/^\/deals/)
        await lena.fill('Search deals', 'spritz')
        await lena.window.press('Enter')
        await lena.isAt(/q=spritz/)
        await lena.sees('Spritz on the river')
        await lena.seesNot('Cold brew')
        await lena.tap({ role: 'link', name: 'Map' })
        await lena.isAt(/^\/dealsmap/)
        await expect
          .poll(() => lena.window.run(() => document.querySelector('[data-map-ready], main [role=img]') !== null))
          .toBe(true)
        await lena.tap({ role: 'link', name: 'Events' })
        await lena.isAt(/^\/events/)
        await lena.sees(titles[0])
        await lena.tap({ role: 'link', name: 'Timetable' })
        await lena.isAt(/view=grid/)
        await lena.finds({ role: 'link', name: titles[0], isPart: true })
        await lena.open(`/events?q=${encodeURIComponent(titles[0])}`)
        await lena.alive()
        await lena.tap({ role: 'link', name: titles[0] })
        await lena.isAt(/^\/event\//)
        await lena.sees('Westufer')
        await lena.window.back()
        await lena.isAt(/q=Wellenprobe/)
        expect(await lena.faults()).toEqual([])
      })

      it('signs up on the way to the schedule and returns there; two events at the same time ask first', async () => {
        const lena = await arrives(`/events?q=wellenprobe`)
        const add = (title: string) => lena.tap({ role: 'button', name: `Add to My Schedule: ${title}` })
        await add(titles[0])
        await lena.finds({ role: 'button', name: `Add to My Schedule: ${titles[0]}` })
        await add(titles[1])
        await lena.sees('Two events at the same time')
        await lena.tap({ role: 'button', name: 'Keep both' })
        await lena.seesNot('Two events at the same time')
        await lena.open('/userlogin?next=%2Fmyschedule')
        await lena.alive()
        await lena.tap({ role: 'link', name: 'Create an account', within: 'main' })
        await lena.isAt(/^\/usersignup\?next=/)
        await lena.fill('Display name', 'Lena')
        await lena.fill('Email', `${engine}@example.org`, 'main')
        await lena.fill('Password', goodPassword, 'main')
        await lena.tap({ role: 'field', name: 'I accept', isPart: true, within: 'main' })
        await lena.tap({ role: 'button', name: 'Create Account' })
        await lena.isAt(/^\/userlogin\?next=/)
        await lena.finds({ role: 'button', name: 'Log In', within: 'main' })
        await lena.fill('Password', goodPassword, 'main')
        await lena.tap({ role: 'button', name: 'Log In', within: 'main' })
        await lena.isAt(/^\/myschedule/)
        await lena.sees(`Clashes with “${titles[1]}” for 30 min`)
        expect(await lena.faults()).toEqual([])
      })

      it('shows a rotating code that is typed at the bar, and both sides see that it is redeemed', async () => {
        const lena = await arrives(`/deal/${deal}`, await aVisitor(app, `${engine}.lena@example.org`))
        await lena.tap({ role: 'button', name: 'Get code' })
        const payload = () =>
          lena.window.run(() => document.querySelector('svg[data-payload]')?.getAttribute('data-payload'))
        await expect.poll(payload).toMatch(/^RK1:[0-9A-F]{32}:\d{6}$/)
        const first = await payload()
        await expect.poll(payload).not.toBe(first)
        const till = await arrives('/redeem', bar)
        await till.fill('Code', (await payload())!.slice(-6), 'main')
        await till.window.press('Enter')
        await till.sees('Valid code')
        await till.tap({ role: 'button', name: 'Redeem', within: 'main' })
        await till.finds({ role: 'button', name: 'Next code' })
        await lena.sees('Redeemed')
        expect([...(await lena.faults()), ...(await till.faults())]).toEqual([])
      })

      it('posts a reply with a picture in the forum', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'rheinklang-picture-'))
        onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
        const file = join(folder, 'sky.png')
        const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
        await sharp({ create: { width: 900, height: 600, channels: 3, background: 'red', noise } })
          .png()
          .toFile(file)
        const noah = await aVisitor(app, `${engine}.noah@example.org`)
        const topic = { title: 'The sky tonight', body: 'Who sees it?', category: 'meet-ups' }
        const made = await post(app, '/api/forum/topics', topic, { token: noah.authToken })
        expect(made.status, made.text).toBe(201)
        const lena = await arrives(
          `/topic/${made.body.topic.topic_id}`,
          await aVisitor(app, `${engine}.mia@example.org`),
        )
        await lena.fill('Your reply', 'It is red.')
        await lena.window.choose('main input[type=file]', file)
        await lena.finds({ role: 'button', name: 'Remove picture' })
        await lena.tap({ role: 'button', name: 'Post reply' })
        const isShown = () =>
          lena.window.run(() =>
            [...document.querySelectorAll<HTMLImageElement>('article a > img')].some((each) => each.naturalWidth > 0),
          )
        await expect.poll(() => isShown()).toBe(true)
        await lena.sees('It is red.')
        expect(await lena.faults()).toEqual([])
      })

      it('pays as a merchant on the page of the test provider', async () => {
        const noah = await aMerchant(app, `${engine}.cafe@example.org`, { address: 'Rheingasse 1\n4058 Basel' })
        const cafe = await arrives('/promote-business', noah)
        await cafe.tap({ role: 'button', name: 'Pay & Promote' })
        await cafe.isAt(/^\/test-checkout\//)
        await cafe.tap({ role: 'button', name: 'Pay CHF 200 (test)' })
        await cafe.sees('Thank you. Your business is featured until')
        expect(await cafe.faults()).toEqual([])
      })
    }

    const thePages = () => {
      it('shows every page at 390 px without an error, a CSP report or anything that sticks out', async () => {
        const { people, all } = await everyPage(app)
        for (const role of everyRole.slice(0, 3)) {
          const who = await arrives('/', people[role] ?? undefined)
          for (const path of all.filter((each) => isFor(each, role))) {
            await who.open(path)
            await who.alive()
            expect(await who.sticksOut(), path).toBeLessThanOrEqual(0)
          }
          expect([role, await who.faults()]).toEqual([role, []])
        }
      })

      it('as a Safari of five years ago logs in, reads the programme as a list and a timetable, and saves an event', async () => {
        gate.script = `${beginning()}\n${oldSafari}`
        onTestFinished(() => void (gate.script = beginning()))
        const { email, authToken } = await aVisitor(app, `${engine}.old@example.org`)
        const lena = await arrives('/userlogin?next=%2Fevents')
        expect(await lena.window.run(() => 'parse' in URL || 'groupBy' in Map)).toBe(false)
        await lena.fill('Email', email, 'main')
        await lena.fill('Password', goodPassword, 'main')
        await lena.tap({ role: 'button', name: 'Log In', within: 'main' })
        await lena.isAt(/^\/events/)
        await lena.tap({ role: 'link', name: 'Timetable' })
        await lena.isAt(/view=grid/)
        await lena.finds({ role: 'link', name: titles[0], isPart: true })
        await lena.open(`/event/${ids[0]}`)
        await lena.alive()
        await lena.tap({ role: 'button', name: 'Add to My Schedule', within: 'main' })
        await expect.poll(async () => (await get(app, '/api/schedule', authToken)).body.entries.length).toBe(1)
        await lena.open('/myschedule')
        await lena.sees(titles[0])
        // such a Safari has no Trusted Types, but the engine still demands them
        const faults = (await lena.faults()).filter((fault) => !fault.includes('require-trusted-types-for'))
        expect(faults).toEqual([])
      })

      it('opens stored pages by address, reload and back while the server refuses, does not answer, and without a network', async () => {
        const lena = await aVisitor(app, `${engine}.ada@example.org`)
        const token = { token: lena.authToken }
        await post(app, '/api/schedule', { event_id: ids[0] }, token)
        await post(app, `/api/deals/${deal}/claim`, undefined, token)
        await get(app, `/api/favorites/deal/${deal}`, lena.authToken, { method: 'PUT' })
        const phone = await arrives('/events', lena)
        const { window } = phone
        await expect.poll(() => window.run(() => localStorage.getItem('kept') !== null)).toBe(true)
        await expect.poll(() => window.run(() => navigator.serviceWorker.controller !== null)).toBe(true)
        // pages of single things are stored when they are opened
        await phone.tap({ role: 'link', name: titles[0] })
        await phone.isAt(/^\/event\//)
        await phone.sees('Westufer')
        await phone.open('/deals?q=spritz')
        await phone.alive()
        await phone.tap({ role: 'link', name: 'Spritz on the river' })
        await phone.isAt(/^\/deal\//)
        await phone.tap({ role: 'link', name: 'Bar Nord', isPart: true, within: 'main' })
        await phone.isAt(/^\/business\//)
        await phone.tap({ role: 'link', name: 'Forum' })
        await phone.isAt(/^\/forum/)
        // the text of each page that is stored only on the phone
        const pages = {
          '/myschedule': titles[0],
          '/events': titles[0],
          [`/event/${ids[0]}`]: 'Westufer',
          '/deals': 'Two shandies',
          '/my-codes': 'Spritz on the river',
          '/': 'Featured Deals',
          '/favorites': 'Spritz on the river',
          '/events?day=2026-06-19': '19 June',
          '/events?day=2026-06-20': titles[0],
          '/events?day=2026-06-21': '21 June',
          '/events?view=grid': titles[0],
          '/events?day=2026-06-20&view=grid': titles[0],
          [`/deal/${deal}`]: 'Bar Nord',
          [`/business/${bar.businessId}`]: 'Spritz on the river',
          '/dealsmap': 'Spritz on the river',
          '/dealsmap?layers=deals,events': 'Spritz on the river',
          '/forum': 'Where is the queue shortest',
          '/offline': 'My Codes',
        }
        const all = Object.keys(pages)
        const some = all.slice(0, 6)
        for (const [form, leave, comeBack, paths] of [
          ['refused', gate.refuse, gate.open, some],
          // each page waits up to six seconds for an answer
          ['silent', gate.silence, gate.open, some.slice(0, 3)],
          ['offline', offline, online, some],
        ] as const) {
          await leave()
          for (const path of paths) {
            await phone.open(path)
            await phone.sees(pages[path]!)
            await expect.poll(() => phone.path()).toBe(path)
          }
          await phone.open(paths[0]!)
          await phone.sees(pages[paths[0]!]!)
          await window.reload()
          await phone.sees(pages[paths[0]!]!)
          await phone.open(paths[1]!)
          await phone.sees(pages[paths[1]!]!)
          await window.back()
          await phone.sees(pages[paths[0]!]!)
          // the map has a message about missing data
          const faults = (await phone.faults()).filter((fault) => !fault.includes('The deals could not be updated.'))
          expect([form, faults]).toEqual([form, []])
          await comeBack()
        }

        /** If the driver cannot switch the network off, the server stops and `navigator.onLine` is false. */
        async function offline() {
          if (await window.goOffline(true)) return
          await gate.refuse()
        }
        async function online() {
          if (!(await window.goOffline(false))) await gate.open()
        }
      }, 900_000)
    }

    if (part === 'evening') evening()
    else thePages()
  })
}
