import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type BrowserContext } from 'playwright-core'
import { readConfig } from '../src/app/config.ts'
import { startApp, type RunningApp } from '../src/app/start.ts'
import type { ScreensBundle } from '../src/app/server/pages.ts'
import { editDealPage, page as pages } from '../src/site-map.ts'
import { presentChromium } from './find-chromium.ts'
import { root } from './sources.ts'

/**
 * Takes pictures of screens of a demo festival: phone and desktop, light and dark, as guest, visitor, merchant and staff.
 *
 *     npm run look -- FOLDER [--only=/deals,/events] [--as=guest,merchant] [--at=21:30,05:30,after] [--lang=de] [--full]
 *
 * `--at`: times on the festival's second day, or `after` its end; default 19:30. `--full`: whole pages instead of the visible part.
 * `--only`: any address, or the name of a picture such as `deal-one-edit`. Needs a build (`npm run build`) and Chromium.
 */
const option = (name: string) => process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3)
const list = (name: string) => option(name)?.split(',') ?? null
const folder = resolve(process.argv[2] ?? '')
const locale = `${option('lang') ?? 'en'}-${option('lang') ? 'CH' : 'GB'}`

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } }
const themes = { light: 'light', dark: 'dark' } as const
type Who = 'guest' | 'visitor' | 'merchant' | 'staff'

const addresses: Record<Who, string[]> = {
  guest: [
    pages.home,
    pages.deals,
    `${pages.deals}?q=xyzzy`,
    pages.dealsMap,
    `${pages.dealsMap}?layers=deals,merchants,events,places`,
    pages.events,
    `${pages.events}?view=grid`,
    pages.businesses,
    pages.forum,
    pages.forumSearch,
    pages.userLogin,
    pages.userSignup,
    pages.businessLogin,
    pages.businessSignup,
    pages.forgotPassword,
    pages.help,
    pages.learnMore,
    pages.contact,
    '/no-such-page',
  ],
  visitor: [pages.mySchedule, pages.favorites, pages.myCodes, pages.notifications, pages.settings, pages.forumNew],
  merchant: [
    pages.dashboard,
    pages.editBusiness,
    pages.createDeal,
    pages.dealAnalytics,
    pages.redeem,
    pages.upgrade,
    pages.promote,
    pages.invoices,
    pages.settings,
  ],
  staff: [
    pages.admin,
    pages.adminEvents,
    pages.adminMerchants,
    pages.adminPlaces,
    pages.adminLog,
    pages.adminUrgent,
    pages.adminReports,
    pages.moderation,
  ],
}

if (!process.argv[2] || process.argv[2].startsWith('--')) {
  console.error('Name a folder: npm run look -- FOLDER')
  process.exit(1)
}
const executablePath = presentChromium()
if (!executablePath) throw new Error('There is no Chromium.')

const serverFile = join(root, 'build/server/index.js')
if (!existsSync(serverFile)) {
  console.error('The screens are not built: npm run build')
  process.exit(1)
}
const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-look-'))
/** Noon of the festival's second day, which is today in the demo. */
let now = Temporal.Now.zonedDateTimeISO('Europe/Zurich').with({ hour: 12, minute: 0 }).toInstant()
const config = readConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' }, process.cwd())
const built = (await import(pathToFileURL(serverFile).href)) as {
  entry: { module: { screensOf(build: unknown): ScreensBundle } }
}
const app = await startApp(config, {
  pages: { screens: built.entry.module.screensOf(built), clientDir: join(root, 'build/client') },
  clock: { now: () => now },
})
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--font-render-hinting=none'] })
try {
  addresses.guest.push(...(await itemsOf(app)))
  for (const at of list('at') ?? ['19:30']) {
    now = instantOf(at)
    for (const who of Object.keys(addresses) as Who[])
      if (list('as')?.includes(who) ?? true) await lookAs(who, at.replace(':', ''))
  }
} finally {
  await browser.close()
  await app.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function lookAs(who: Who, at: string) {
  const session = who === 'guest' ? {} : await sessionOf(app, who)
  const all = who === 'merchant' ? [...addresses.merchant, ...(await ownPagesOf(app, session))] : addresses[who]
  const only = list('only')
  // `--only` may name addresses that are in no list yet
  const others = (only ?? []).filter((each) => each.startsWith('/') && !Object.values(addresses).flat().includes(each))
  const wanted = only
    ? [...all.filter((address) => [address, nameOf(address)].some((each) => only.includes(each))), ...others]
    : all
  for (const [size, viewport] of Object.entries(sizes))
    for (const [theme, colorScheme] of Object.entries(themes)) {
      if (wanted.length === 0) continue
      const context = await browser.newContext({ viewport, colorScheme, locale, timezoneId: 'Europe/Zurich' })
      await prepared(context, session)
      const to = join(folder, at, who, `${size}-${theme}`)
      mkdirSync(to, { recursive: true })
      for (const address of wanted) await picture(context, address, join(to, `${nameOf(address)}.png`))
      await context.close()
    }
}

async function picture(context: BrowserContext, address: string, file: string) {
  const page = await context.newPage()
  await page.goto(app.address + address, { waitUntil: 'networkidle' }).catch(() => {})
  if (address.startsWith(pages.dealsMap))
    await page
      .locator('[data-map-ready]')
      .waitFor()
      .catch(() => {})
  await page.screenshot({ path: file, fullPage: process.argv.includes('--full') })
  await page.close()
}

async function prepared(context: BrowserContext, session: Record<string, string>) {
  const offsetMs = now.epochMilliseconds - Date.now()
  await context.addInitScript(
    ({ by, session: stored }) => {
      const Real = Date
      const at = () => Real.now() + by
      globalThis.Date = new Proxy(Real, {
        construct: (target, args, made) => Reflect.construct(target, args.length > 0 ? args : [at()], made) as Date,
        get: (target, name) => (name === 'now' ? at : (Reflect.get(target, name) as unknown)),
      })
      for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value)
    },
    { by: offsetMs, session },
  )
}

/** Values that the browser stores for a login. Staff is a visitor whose role is set in the database, to skip the second factor. */
async function sessionOf({ address, db, demoLogins }: RunningApp, who: Who): Promise<Record<string, string>> {
  const isMerchant = who === 'merchant'
  const login = demoLogins.find((each) => each.page === (isMerchant ? pages.businessLogin : pages.userLogin))!
  const path = isMerchant ? '/api/business/login' : '/api/auth/login'
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: login.email, password: login.password }),
  })
  const { authToken, refreshToken, userType, businessId } = (await answer.json()) as Record<string, string>
  if (!authToken) throw new Error(`${who} cannot log in (${answer.status}).`)
  if (who === 'staff')
    await db
      .updateTable('accounts')
      .set({ role: 'admin', totp_secret: Buffer.from('set') })
      .where('email', '=', login.email)
      .execute()
  if (who === 'visitor') await fill(address, authToken)
  return {
    authToken,
    refreshToken: refreshToken!,
    userType: who === 'staff' ? 'admin' : userType!,
    ...(businessId ? { businessId } : {}),
  }
}

/** Saves some events and deals of the evening, so that the visitor's pages are not empty. */
async function fill(address: string, token: string) {
  const ids = async (path: string, name: string) =>
    ((await (await fetch(address + path)).json()) as Record<string, string>[]).map((each) => each[name]!)
  const send = (method: string, path: string, body?: unknown) =>
    fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const from = now.toString()
  for (const event_id of await ids(`/api/events?limit=6&from=${encodeURIComponent(from)}`, 'event_id'))
    await send('POST', '/api/schedule', { event_id })
  for (const deal_id of await ids('/api/deals?limit=5', 'deal_id')) {
    await send('PUT', `/api/favorites/deal/${deal_id}`)
    await send('POST', `/api/deals/${deal_id}/claim`)
  }
}

async function itemsOf({ address }: RunningApp): Promise<string[]> {
  const first = async (path: string) =>
    ((await (await fetch(address + path)).json()) as Record<string, string>[])[0] ?? {}
  const [deal, event, topic] = await Promise.all([
    first('/api/deals?limit=1'),
    first('/api/events?limit=1'),
    first('/api/forum/topics?limit=1'),
  ])
  return [
    `/deal/${deal['deal_id']}`,
    `/business/${deal['business_id']}`,
    `/event/${event['event_id']}`,
    `/topic/${topic['topic_id']}`,
  ]
}

/** Addresses of the merchant's pages for the deal with the most redemptions. */
async function ownPagesOf({ address }: RunningApp, session: Record<string, string>): Promise<string[]> {
  const answer = await fetch(`${address}/api/deals/business/${session['businessId']}`, {
    headers: { authorization: `Bearer ${session['authToken']}` },
  })
  const deals = (await answer.json()) as { deal_id: string; figures: { redemptions: number } }[]
  const [most] = deals.sort((a, b) => b.figures.redemptions - a.figures.redemptions)
  return most ? [editDealPage(most.deal_id), `${pages.dealAnalytics}?deal=${most.deal_id}`] : []
}

function instantOf(at: string): Temporal.Instant {
  const day = now.toZonedDateTimeISO('Europe/Zurich').startOfDay()
  if (at === 'after') return day.add({ days: 2, hours: 14 }).toInstant()
  const [hour = 0, minute = 0] = at.split(':').map(Number)
  return day.with({ hour, minute }).toInstant()
}

function nameOf(address: string): string {
  const [path = '', query = ''] = address.split('?')
  const words = path
    .split('/')
    .filter(Boolean)
    .map((each) => (/^[\da-f-]{36}$/.test(each) ? 'one' : each))
  return [
    ...words,
    ...(words.length === 0 ? ['home'] : []),
    query.replace(/[\da-f-]{36}/, 'one').replace(/[^a-z]+/g, '-'),
  ]
    .filter(Boolean)
    .join('-')
}
