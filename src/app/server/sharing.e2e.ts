import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addBusiness, addDeal } from '../../../test/cast.ts'
import { aModerator } from '../../../test/staff.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { BusinessForOwner } from '../../businesses/contract.ts'
import { weekOf } from '../../businesses/server/week.ts'
import { weekHours } from '../../businesses/web/week-hours.ts'
import type { Deal } from '../../deals/contract.ts'
import type { ListedEvent } from '../../events/contract.ts'

let app: TestApp
let deal: Deal
let business: BusinessForOwner
let event: ListedEvent
let pages: string[]

beforeAll(async () => {
  app = await startTestApp({ pages: true, demo: true, now: null })
  deal = (await api(app, '/api/deals?limit=1')).body[0]
  business = (await api(app, `/api/business/${deal.business_id}`)).body
  event = (await api(app, '/api/events?q=hochwasser')).body[0]
  const next = (await api(app, '/deals')).text.match(/href="(\/deals\?after=[^"]+)"/)![1]!
  pages = [
    '/',
    '/deals',
    '/deals?category=food',
    '/deals?openNow=true&sort=rating',
    '/deals?radius=2&near=centre',
    next.replaceAll('&amp;', '&'),
    '/business',
    '/terms',
    '/privacy',
    '/help',
    '/learn-more',
    '/contact',
    `/deal/${deal.deal_id}`,
    `/business/${business.business_id}`,
    '/events',
    `/event/${event.event_id}`,
  ]
})
afterAll(() => app.close())

describe('the head of every public page', () => {
  it('has one title, one description, one canonical address and one of each sharing tag', async () => {
    for (const path of pages) {
      const { head } = await read(path)
      expect(head.title, path).toHaveLength(1)
      expect(head.title[0], path).toMatch(/Rheinklang/)
      for (const name of ['description', 'twitter:card', ...sharingTags])
        expect(head.meta[name], `${path} ${name}`).toHaveLength(1)
      expect(head.canonical, path).toEqual([app.url + path])
      expect(head.meta['og:url'], path).toEqual(head.canonical)
      expect(head.meta['twitter:card']).toEqual(['summary_large_image'])
      expect(head.meta['robots'], path).toBeUndefined()
      const [description] = head.meta['description']!
      expect(description!.length, path).toBeGreaterThan(20)
      expect([...description!].length, path).toBeLessThanOrEqual(160)
    }
  })
  it('has a different title on every page', async () => {
    const titles = await Promise.all(
      pages.filter((path) => !path.includes('?')).map(async (path) => (await read(path)).head.title[0]),
    )
    expect(new Set(titles).size).toBe(titles.length)
  })
  it('names the language of the page', async () => {
    for (const [lang, locale] of [
      ['de', 'de_CH'],
      ['fr', 'fr_CH'],
      ['en', 'en_GB'],
    ])
      expect((await read('/deals', { cookie: `lang=${lang}` })).head.meta['og:locale']).toEqual([locale])
  })
  it('names a picture that exists and has the size it says', async () => {
    for (const path of pages) {
      const { meta } = (await read(path)).head
      const [url] = meta['og:image']!
      expect(url!.startsWith(`${app.url}/og/`), url).toBe(true)
      const answer = await fetch(url!)
      expect(answer.status, url).toBe(200)
      const { format, width, height } = await sharp(await answer.arrayBuffer()).metadata()
      expect({ format, width: String(width), height: String(height) }).toEqual({
        format: 'png',
        width: meta['og:image:width']![0],
        height: meta['og:image:height']![0],
      })
      expect(meta['og:image:alt']![0]!.length).toBeGreaterThan(3)
    }
  })
})

describe('the canonical address', () => {
  it.each([
    ['/deals?utm_source=mail&fbclid=x', '/deals'],
    ['/deals?lat=47.5&lon=7.6', '/deals'],
    ['/deals?lat=47.5&lon=7.6&radius=2&sort=distance&category=food&after=x&page=3', '/deals?category=food'],
    ['/deals?page=7', '/deals'],
    ['/deals?category=food&q=&openNow=false', '/deals?category=food'],
    ['/deals?sort=rating&category=food', '/deals?category=food&sort=rating'],
    ['/deals?radius=abc&limit=-1', '/deals'],
    ['/business?utm_source=x&limit=abc', '/business'],
    ['/business?offset=20&page=2', '/business?offset=20&page=2'],
    ['/contact?topic=press', '/contact'],
    ['/help?x=1', '/help'],
    ['/terms/', '/terms'],
  ])('of %s is %s', async (path, canonical) => {
    expect((await read(path)).head.canonical).toEqual([app.url + canonical])
  })
  it('of a deal or merchant has the id in lower case, without a query', async () => {
    for (const path of [`/deal/${deal.deal_id}`, `/business/${business.business_id}`])
      expect((await read(`${path.slice(0, 10)}${path.slice(10).toUpperCase()}?ref=x`)).head.canonical).toEqual([
        app.url + path,
      ])
  })
  it('follows PUBLIC_URL and never a foreign Host header', async () => {
    const published = await startTestApp({ pages: true, env: { PUBLIC_URL: 'https://deals.example.ch' } })
    try {
      const { head } = readHead((await api(published, '/deals')).text)
      expect(head.canonical).toEqual(['https://deals.example.ch/deals'])
      expect(head.meta['og:image']).toEqual(['https://deals.example.ch/og/site.png'])
      expect((await api(published, '/robots.txt')).text).toContain('\nSitemap: https://deals.example.ch/sitemap.xml\n')
    } finally {
      await published.close()
    }
  })
})

describe('pages for which search engines have no use', () => {
  it.each(['/myschedule', '/userlogin', '/dashboard', '/nope', '/deal/nope', '/business/nope'])(
    '%s are noindex, with one title and no canonical address',
    async (path) => {
      const { head, data } = await read(path)
      expect(head.meta['robots']).toEqual(['noindex'])
      expect(head.title).toHaveLength(1)
      expect(head.canonical).toEqual([])
      expect(data).toEqual([])
    },
  )
  it.each(['/deals?q=fondue', '/business?q=bar', '/contact?ticket=RK-2222-3333'])(
    '%s are noindex and can still be shared',
    async (path) => {
      const { head, data } = await read(path)
      expect(head.meta['robots']).toEqual(['noindex'])
      expect(head.meta['og:title']).toHaveLength(1)
      expect(data).toEqual([])
    },
  )
})

describe('structured data', () => {
  it('is valid in the vocabulary of schema.org on every public page', async () => {
    for (const path of pages) {
      const { data } = await read(path)
      expect(data, path).toHaveLength(1)
      expect(data[0]!['@context']).toBe('https://schema.org')
      expect(faultsOf(data[0]!['@graph']), path).toEqual([])
    }
  })
  it('is valid for every deal and merchant of the demo, and for events of every kind', async () => {
    const { rows } = await sql<{ path: string }>`
      select '/deal/' || deal_id as path from deals where state <> 'draft'
      union all select '/business/' || business_id from businesses
      union all select '/event/' || max(event_id::text) from events
        group by state, category, ends_at is null, price_rappen is null`.execute(app.db)
    for (const { path } of rows) {
      const { data } = await read(path)
      for (const block of data) expect(faultsOf(block['@graph']), path).toEqual([])
    }
  })
  it('gives an event its status, performers, place and times', async () => {
    const found = thing(await read(`/event/${event.event_id}`), 'Event')
    expect(found).toMatchObject({
      '@type': 'MusicEvent',
      name: 'Hochwasser',
      startDate: event.starts_at,
      endDate: event.ends_at,
      eventStatus: 'https://schema.org/EventScheduled',
      location: { '@type': 'Place', geo: { latitude: event.venue!.latitude, longitude: event.venue!.longitude } },
      performer: [{ '@type': 'PerformingGroup', name: 'Hochwasser' }],
    })
    const named = (await api(app, '/api/events?q=dorfrock')).body as ListedEvent[]
    const cancelled = named.find(({ status }) => status === 'cancelled')
    expect(thing(await read(`/event/${cancelled!.event_id}`), 'Event')).toMatchObject({
      eventStatus: 'https://schema.org/EventCancelled',
    })
  })
  it('gives the home page its search', async () => {
    const action = thing(await read('/'), 'WebSite').potentialAction!
    expect(action['@type']).toBe('SearchAction')
    const found = action.target.urlTemplate.replace('{search_term_string}', 'fondue')
    expect((await fetch(found)).status).toBe(200)
  })
  it('gives a deal its offer, with a price only if it is a number', async () => {
    const shop = await addBusiness(app.db, 'Bar Nord', { address: 'Rheingasse 12, 4058 Basel' })
    const paid = await addDeal(app.db, shop, 'Two for one', {
      price_rappen: 1250,
      ends_at: new Date('2099-01-01T00:00:00Z'),
    })
    const words = await addDeal(app.db, shop, 'Ask us', { price: 'a smile' })
    const typed = await addDeal(app.db, shop, 'Soup', { price: 'CHF 9.50' })
    const gone = await addDeal(app.db, shop, 'Gone', { total_limit: 3, redeemed_count: 3 })
    expect(thing(await read(`/deal/${paid}`), 'Offer')).toMatchObject({
      price: 12.5,
      priceCurrency: 'CHF',
      availability: 'https://schema.org/InStock',
      validThrough: '2099-01-01T00:00:00.000Z',
      seller: { '@type': 'LocalBusiness', name: 'Bar Nord', url: `${app.url}/business/${shop}` },
    })
    expect(thing(await read(`/deal/${words}`), 'Offer')).not.toHaveProperty('price')
    expect(thing(await read(`/deal/${words}`), 'Offer')).not.toHaveProperty('priceCurrency')
    expect(thing(await read(`/deal/${typed}`), 'Offer')).toMatchObject({ price: 9.5 })
    expect(thing(await read(`/deal/${gone}`), 'Offer')).toMatchObject({ availability: 'https://schema.org/SoldOut' })
    const { makesOffer, address } = thing(await read(`/business/${shop}`), 'LocalBusiness')
    expect(makesOffer!.map((offer) => offer.name!).toSorted()).toEqual(['Ask us', 'Soup', 'Two for one'])
    expect(address).toMatchObject({ streetAddress: 'Rheingasse 12', postalCode: '4058', addressLocality: 'Basel' })
  })
  it('leaves out unknown values', async () => {
    const bare = await addBusiness(app.db, 'Nobody knows', { latitude: null, longitude: null })
    const found = thing(await read(`/business/${bare}`), 'LocalBusiness')
    for (const name of ['address', 'geo', 'telephone', 'openingHoursSpecification', 'makesOffer', 'sameAs'])
      expect(found).not.toHaveProperty(name)
  })
})

describe('opening hours in structured data', () => {
  const day = (days: string, opens: string, closes: string) => ({ days: days.split(' '), opens, closes })
  it.each([
    ['Mo-Fr 08:00-18:30', [day('Monday Tuesday Wednesday Thursday Friday', '08:00', '18:30')]],
    ['Fr-Sa 23:00-06:00', [day('Friday Saturday', '23:00', '06:00')]],
    [
      'Sa-Mo 10:00-12:00,14:00-24:00',
      [day('Monday Saturday Sunday', '10:00', '12:00'), day('Monday Saturday Sunday', '14:00', '00:00')],
    ],
    ['Mo-We 09:00-17:00; Tu off', [day('Monday Wednesday', '09:00', '17:00')]],
    ['Mo 10:00-12:00; PH off', [day('Monday', '10:00', '12:00'), day('PublicHolidays', '00:00', '00:00')]],
    ['24/7', [day('Monday Tuesday Wednesday Thursday Friday Saturday Sunday', '00:00', '23:59')]],
    ['Th 22:00-26:00', [day('Thursday', '22:00', '02:00')]],
  ])('say "%s"', (text, said) => expect(weekHours(weekOf(text))).toEqual(said))
  it.each([
    'nach Vereinbarung',
    '',
    'Jun-Aug Mo 10:00-12:00',
    'Mo 10:00+',
    'Mo 10:00-12:00 "ring"',
    'Mo sunrise-sunset',
    'Mo[1] 10:00-12:00',
    'week 1-10 Mo 10:00-12:00',
    'off',
    'Mo 10:00-10:00',
    'SH Mo 10:00-12:00',
    'Mo-Xx 10:00-12:00',
    'Mo 10:00-12:00 || "else"',
    'Mo 10:00-40:00',
    'Mo 10:00-12:00+',
  ])('are left out for "%s"', (text) => expect(weekHours(weekOf(text))).toBeNull())
})

describe('pictures for sharing', () => {
  const picture = (path: string, headers: Record<string, string> = {}) => fetch(app.url + path, { headers })
  it('may be cached, and are not sent again while they are the same', async () => {
    const first = await picture(`/og/deal/${deal.deal_id}.png`)
    expect(first.headers.get('content-type')).toBe('image/png')
    expect(first.headers.get('cache-control')).toBe('public, max-age=86400')
    const etag = first.headers.get('etag')!
    expect((await picture(`/og/deal/${deal.deal_id}.png?v=any`)).headers.get('etag')).toBe(etag)
    expect((await picture(`/og/deal/${deal.deal_id}.png`, { 'if-none-match': etag })).status).toBe(304)
    await sql`update deals set deal_name = deal_name || '!' where deal_id = ${deal.deal_id}`.execute(app.db)
    expect((await picture(`/og/deal/${deal.deal_id}.png`, { 'if-none-match': etag })).status).toBe(200)
  })
  it('do not exist for drafts and unknown names', async () => {
    const draft = await addDeal(app.db, business.business_id, 'Not yet', { state: 'draft' })
    for (const path of [
      `/og/deal/${draft}.png`,
      `/og/deal/${business.business_id}.png`,
      `/og/business/${deal.deal_id}.png`,
      `/og/deal/${deal.deal_id}.svg`,
      '/og/deal/nope.png',
      '/og/event/x.png',
      '/og/deal/..%2f..%2fx.png',
      '/og/deal/%00.png',
      '/og/',
      '/og/other.png',
    ]) {
      const answer = await picture(path)
      expect(answer.status, path).toBe(404)
    }
  })
  it('can be made for any title', async () => {
    for (const name of [
      '🎶🎉',
      '漢字',
      'W'.repeat(80),
      '</script><script>alert(1)</script>',
      '&]]>\u0301',
      'Ü'.repeat(80),
    ]) {
      const answer = await picture(`/og/deal/${await addDeal(app.db, business.business_id, name)}.png`)
      const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
      expect([width, height]).toEqual([1200, 630])
    }
  })
  it('show the event’s picture that staff uploaded, and so does its page', async () => {
    const path = `/og/event/${event.event_id}.png`
    const middle = async () => {
      const answer = await picture(path)
      const { data, info } = await sharp(await answer.arrayBuffer())
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      const at = (315 * info.width + 960) * info.channels
      return {
        etag: answer.headers.get('etag'),
        size: [info.width, info.height],
        colour: [...data.subarray(at, at + 3)],
      }
    }
    const before = await middle()
    const token = await aModerator(app, 'pictures@example.org')
    const form = new FormData()
    const green = { create: { width: 800, height: 600, channels: 3, background: '#10e010' } } as const
    form.set('file', new Blob([new Uint8Array(await sharp(green).png().toBuffer())]), 'green.png')
    const headers = { authorization: `Bearer ${token}` }
    const { url } = (await api(app, '/api/admin/events/pictures', { method: 'POST', body: form, headers })).body
    const edit = (image_url: string | null) =>
      api(app, `/api/events/${event.event_id}`, {
        method: 'PUT',
        body: JSON.stringify({ image_url }),
        headers: { ...headers, 'content-type': 'application/json' },
      })
    expect((await edit(url)).status).toBe(200)
    const after = await middle()
    expect(after.size).toEqual([1200, 630])
    expect(after.etag).not.toBe(before.etag)
    const [red, greenPart, blue] = after.colour as [number, number, number]
    expect([red < 60, greenPart > 180, blue < 60], after.colour.join(' ')).toEqual([true, true, true])
    // another address, since the document may still be cached
    const page = await read(`/event/${event.event_id}?with=picture`)
    expect(page.text).toMatch(new RegExp(`<img[^>]* src="${url}"`))
    expect(faultsOf(page.data[0]!['@graph'])).toEqual([])
    const [own, sharing] = (thing(page, 'Event') as unknown as { image: string[] }).image
    expect(own).toBe(app.url + url)
    expect(sharing).toContain(`${app.url}${path}`)
    await edit(null)
    expect((await middle()).etag).toBe(before.etag)
    expect((await read(`/event/${event.event_id}?without=picture`)).text).not.toContain(url)
  })
  it('are all answered when many are requested at once', async () => {
    const { rows } = await sql<{ id: string }>`select business_id as id from businesses limit 20`.execute(app.db)
    const answers = await Promise.all([...rows, ...rows].map(({ id }) => picture(`/og/business/${id}.png`)))
    expect(new Set(answers.map((each) => each.status))).toEqual(new Set([200]))
  })
})

describe('robots.txt', () => {
  it('allows all public pages, and neither the API nor private pages', async () => {
    const { status, text, headers } = await api(app, '/robots.txt')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text).toMatch(/^User-agent: \*\nAllow: \/\n(Disallow: \/\S+\n)+\nSitemap: http:\/\/\S+\/sitemap\.xml\n$/)
    const forbidden = [...text.matchAll(/^Disallow: (\S+)$/gm)].map(([, rule]) => rule!)
    const isForbidden = (path: string) => forbidden.some((rule) => robotsPattern(rule).test(path))
    for (const path of [...pages, '/og/site.png', '/poster/deal/food/x.svg', '/assets/x.js', '/deal/x'])
      expect(isForbidden(path), path).toBe(false)
    for (const path of ['/api/deals', '/dashboard', '/settings', '/deal/x/edit', '/upgrade', '/upgrade-subscription'])
      expect(isForbidden(path), path).toBe(true)
  })
})

describe('the sitemap', () => {
  it('lists every page of the demo, and they answer', async () => {
    const urls = await everyUrl(app)
    const { rows } = await sql<{ path: string }>`
      select '/business/' || business_id as path from businesses
      union all select '/deal/' || deal_id from deals where state = 'published'
        and (starts_at is null or starts_at <= now()) and (ends_at is null or ends_at > now())
        and (total_limit is null or redeemed_count < total_limit)`.execute(app.db)
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls.map((url) => new URL(url).pathname)).toEqual(expect.arrayContaining(rows.map(({ path }) => path)))
    for (const [index, url] of urls.entries()) {
      expect(url.startsWith(`${app.url}/`)).toBe(true)
      // only every third of the hundreds of pages with an id
      if (/\/[\da-f-]{36}$/.test(url) && index % 3 > 0) continue
      const { head, status } = await read(url.slice(app.url.length))
      expect(status, url).toBe(200)
      expect(head.meta['robots'], url).toBeUndefined()
      expect(head.canonical, url).toEqual([url])
    }
  })
})

describe('hostile names', () => {
  it('stay plain text, in the head and in structured data', async () => {
    for (const name of [
      '</script><script>alert(1)</script>',
      '&amp; & "\' <b>',
      ']]><!--',
      '</title><meta name="x">',
      '\u2028alert(1)\u2029',
      '$& $` 🎉'.repeat(8),
    ]) {
      const shop = await addBusiness(app.db, name, {
        description: `${name}\r\n`.repeat(20),
        address: name,
        phone: name,
        website: name,
      })
      const offer = await addDeal(app.db, shop, name, {
        description: `${'🎉'.repeat(159)}${name}`,
        price: name.slice(0, 60),
      })
      const folded = name.replace(/\s+/g, ' ').trim()
      for (const [path, type] of [
        [`/business/${shop}`, 'LocalBusiness'],
        [`/deal/${offer}`, 'Offer'],
      ] as const) {
        const page = await read(path)
        expect(page.text).not.toContain('<script>alert')
        expect(page.head.title).toEqual([`${folded} · Rheinklang`])
        expect(page.head.meta['og:title']).toEqual([folded])
        expect(page.head.meta['x']).toBeUndefined()
        expect(page.head.meta['description']![0]).not.toMatch(/[\uFFFD\r\n]/)
        expect(thing(page, type).name).toBe(name)
        expect(page.data).toHaveLength(1)
        expect(faultsOf(page.data[0]!['@graph'])).toEqual([])
      }
    }
  })
})

// ── Reading a page ──────────────────────────────────────────────────────────────────────────────────────────────────

const sharingTags = [
  'title',
  'description',
  'type',
  'url',
  'site_name',
  'locale',
  'image',
  'image:width',
  'image:height',
  'image:alt',
].map((name) => `og:${name}`)

async function read(path: string, headers: Record<string, string> = {}) {
  const { status, text } = await api(app, path, { headers })
  return { status, ...readHead(text) }
}

/** The tags in the head, as a browser finds them, and linked data. */
function readHead(text: string) {
  const top = text.slice(0, text.indexOf('</head>'))
  const rest = text.slice(top.length)
  expect(rest).not.toMatch(/<title|<meta|rel="canonical"/)
  const meta: Record<string, string[]> = {}
  for (const [tag] of top.matchAll(/<meta\b[^>]*>/g)) {
    const { name, property, content } = attributes(tag)
    const key = name ?? property
    if (key && key !== 'viewport' && key !== 'theme-color') (meta[key] ??= []).push(content ?? '')
  }
  const data = [...text.matchAll(/<script type="application\/ld\+json"([^>]*)>(.*?)<\/script>/gs)].map(
    ([, more, json]) => {
      expect(more).toMatch(/ nonce="[^"]{20,}"/)
      expect(json).not.toMatch(/[<>&\u2028\u2029]/)
      return JSON.parse(json!) as Linked
    },
  )
  const title = [...top.matchAll(/<title>(.*?)<\/title>/gs)].map(([, words]) => decoded(words!))
  const canonical = [...top.matchAll(/<link\b[^>]*>/g)]
    .map(([tag]) => attributes(tag))
    .filter((each) => each['rel'] === 'canonical')
    .map((each) => each['href'])
  return { text, head: { title, meta, canonical }, data }
}

function attributes(tag: string): Record<string, string> {
  return Object.fromEntries([...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, decoded(value!)]))
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decoded = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, dec, name) =>
    name ? (entities[name] ?? all) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(dec)),
  )

/** A block of linked data; `Thing` has the properties that these tests read. */
interface Linked {
  '@context': string
  '@graph': Thing[]
}
interface Thing {
  '@type': string
  name?: string
  potentialAction?: { '@type': string; target: { urlTemplate: string } }
  makesOffer?: Thing[]
  address?: object
}
interface ListItem {
  position: number
  item?: string
  url?: string
  name?: string
}
const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null && '@type' in value

const familyOf = (type: string): string[] => [type, ...(vocabulary[type]?.is ? familyOf(vocabulary[type].is) : [])]

function thing(page: { data: Linked[] }, type: string): Thing {
  const found = page.data[0]!['@graph'].find((each) => familyOf(each['@type']).includes(type))
  expect(found).toBeDefined()
  return found!
}

const robotsPattern = (rule: string) =>
  new RegExp(`^${rule.replace(/[.+?^{}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}`)

// ── The types and properties of schema.org (version 29) that the site uses, and the values that they expect ─────────

type Check = (value: unknown) => boolean
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const isUrl: Check = (value) => isText(value) && /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value)
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isDate: Check = (value) =>
  isText(value) &&
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/.test(value) &&
  !Number.isNaN(Date.parse(value))
const isLike =
  (pattern: RegExp): Check =>
  (value) =>
    isText(value) && pattern.test(value)
const isTime = isLike(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/)
const isIn =
  (...values: string[]): Check =>
  (value) =>
    isText(value) && values.map((each) => `https://schema.org/${each}`).includes(value)
const isA =
  (...types: string[]): Check =>
  (value) =>
    isThing(value) && types.some((type) => familyOf(value['@type']).includes(type))
const either =
  (...checks: Check[]): Check =>
  (value) =>
    checks.some((check) => check(value))

const vocabulary: Record<string, { is?: string; has: Record<string, Check>; needs?: string[] }> = {
  Thing: {
    has: {
      name: isText,
      description: isText,
      url: isUrl,
      image: isUrl,
      sameAs: isUrl,
      potentialAction: isA('Action'),
      '@id': isUrl,
    },
  },
  Event: {
    is: 'Thing',
    has: {
      startDate: isDate,
      endDate: isDate,
      eventAttendanceMode: isIn('OfflineEventAttendanceMode'),
      eventStatus: isIn('EventScheduled', 'EventRescheduled', 'EventCancelled'),
      previousStartDate: isDate,
      location: isA('Place'),
      performer: isA('PerformingGroup'),
      organizer: isA('Organization'),
      offers: isA('Offer'),
      inLanguage: isLike(/^[a-z]{2}(-[A-Z]{2})?$/),
      typicalAgeRange: isLike(/^\d+-$/),
      isAccessibleForFree: (value) => typeof value === 'boolean',
      maximumAttendeeCapacity: (value) => Number.isInteger(value) && Number(value) > 0,
    },
    needs: ['startDate', 'location'],
  },
  MusicEvent: { is: 'Event', has: {} },
  PerformingGroup: { is: 'Thing', has: {}, needs: ['name'] },
  Organization: { is: 'Thing', has: {}, needs: ['name', 'url'] },
  Festival: { is: 'Event', has: {} },
  CreativeWork: {
    is: 'Thing',
    has: { inLanguage: either(isIn(), isLike(/^[a-z]{2}(-[A-Z]{2})?$/)), isPartOf: isA('CreativeWork') },
  },
  WebSite: { is: 'CreativeWork', has: {}, needs: ['name', 'url'] },
  WebPage: {
    is: 'CreativeWork',
    has: { primaryImageOfPage: isA('ImageObject') },
    needs: ['name', 'url', 'description'],
  },
  AboutPage: { is: 'WebPage', has: {} },
  CollectionPage: { is: 'WebPage', has: {} },
  ContactPage: { is: 'WebPage', has: {} },
  ItemPage: { is: 'WebPage', has: {} },
  ImageObject: { is: 'CreativeWork', has: { width: isNumber, height: isNumber }, needs: ['url'] },
  Action: { is: 'Thing', has: { target: either(isA('EntryPoint'), isUrl) } },
  // `query-input` is the annotation of https://schema.org/docs/actions.html
  SearchAction: { is: 'Action', has: { 'query-input': isText }, needs: ['target', 'query-input'] },
  EntryPoint: {
    is: 'Thing',
    has: { urlTemplate: isLike(/^https?:\/\/\S+\{\w+\}/) },
    needs: ['urlTemplate'],
  },
  Place: {
    is: 'Thing',
    has: {
      address: either(isA('PostalAddress'), isText),
      geo: isA('GeoCoordinates'),
      telephone: isText,
      openingHoursSpecification: isA('OpeningHoursSpecification'),
    },
  },
  LocalBusiness: { is: 'Place', has: { makesOffer: isA('Offer') }, needs: ['name', 'url'] },
  Store: { is: 'LocalBusiness', has: {} },
  FoodEstablishment: { is: 'LocalBusiness', has: {} },
  PostalAddress: {
    is: 'Thing',
    has: {
      streetAddress: isText,
      postalCode: isLike(/^\d{4}$/),
      addressLocality: isText,
      addressCountry: isLike(/^[A-Z]{2}$/),
    },
    needs: ['streetAddress'],
  },
  GeoCoordinates: {
    is: 'Thing',
    has: {
      latitude: (value) => isNumber(value) && Math.abs(value) <= 90,
      longitude: (value) => isNumber(value) && Math.abs(value) <= 180,
    },
    needs: ['latitude', 'longitude'],
  },
  OpeningHoursSpecification: {
    is: 'Thing',
    has: {
      dayOfWeek: isIn('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday', 'PublicHolidays'),
      opens: isTime,
      closes: isTime,
    },
    needs: ['dayOfWeek', 'opens', 'closes'],
  },
  Offer: {
    is: 'Thing',
    has: {
      price: (value) => isNumber(value) && value >= 0,
      priceCurrency: (value) => isText(value) && Intl.supportedValuesOf('currency').includes(value),
      availability: isIn('InStock', 'SoldOut', 'OutOfStock', 'Discontinued'),
      validFrom: isDate,
      validThrough: isDate,
      seller: isA('LocalBusiness'),
      availableAtOrFrom: isA('Place'),
    },
    needs: ['name', 'url'],
  },
  ItemList: { is: 'Thing', has: { itemListElement: isA('ListItem') }, needs: ['itemListElement'] },
  BreadcrumbList: { is: 'ItemList', has: {} },
  ListItem: {
    is: 'Thing',
    has: { position: (value) => Number.isInteger(value) && Number(value) > 0, item: isUrl },
    needs: ['position'],
  },
}

/** Faults that a strict reader of the vocabulary finds. */
function faultsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => faultsOf(each, `${at}[${index}]`))
  if (typeof value !== 'object' || value === null) return []
  const { '@type': type, ...properties } = value as Record<string, unknown>
  if (typeof type !== 'string' || !Object.hasOwn(vocabulary, type)) return [`${at}: no type ${String(type)}`]
  const family = familyOf(type).map((each) => vocabulary[each]!)
  const known = Object.assign({}, ...family.toReversed().map((each) => each.has)) as Record<string, Check>
  const faults: string[] = []
  for (const name of family.flatMap((each) => each.needs ?? []))
    if (properties[name] === undefined) faults.push(`${at}: ${type} lacks ${name}`)
  if ((properties['price'] === undefined) !== (properties['priceCurrency'] === undefined))
    faults.push(`${at}: price and currency`)
  if (type === 'BreadcrumbList' || type === 'ItemList')
    (properties['itemListElement'] as ListItem[] | undefined)?.forEach((each, index) => {
      if (each.position !== index + 1) faults.push(`${at}: position ${each.position}`)
      if (!isUrl(each.item ?? each.url)) faults.push(`${at}: an item without address`)
      if (type === 'BreadcrumbList' && !each.name) faults.push(`${at}: a step without name`)
    })
  for (const [name, found] of Object.entries(properties)) {
    const path = `${at}.${name}`
    if (!known[name]) faults.push(`${path}: no property of ${type}`)
    else
      for (const each of Array.isArray(found) ? found : [found])
        if (!known[name](each)) faults.push(`${path}: ${JSON.stringify(each).slice(0, 100)}`)
    faults.push(...faultsOf(found, path))
  }
  return faults
}

// ── Reading a sitemap ───────────────────────────────────────────────────────────────────────────────────────────────

async function everyUrl(of: TestApp): Promise<string[]> {
  const parts = await readSitemap(of, '/sitemap.xml', 'sitemapindex', 'sitemap')
  const urls: string[] = []
  for (const part of parts) {
    const found = await readSitemap(of, part.slice(of.url.length), 'urlset', 'url')
    urls.push(...found)
  }
  return urls
}

async function readSitemap(of: TestApp, path: string, root: string, item: string): Promise<string[]> {
  const { status, headers, text } = await api(of, path)
  expect(status, path).toBe(200)
  expect(headers.get('content-type')).toBe('application/xml; charset=utf-8')
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
  const tree = readXml(text)
  expect(tree.name).toBe(root)
  expect(tree.attributes).toEqual({ xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' })
  expect(tree.children.length).toBeGreaterThan(0)
  return tree.children.map(({ name, children }) => {
    expect(name).toBe(item)
    expect(children.map((each) => each.name)).toEqual(['loc', 'lastmod'].slice(0, children.length))
    const [loc, lastmod] = children.map((each) => each.text)
    expect(isUrl(loc)).toBe(true)
    if (lastmod !== undefined) expect(isDate(lastmod)).toBe(true)
    return loc!
  })
}

interface Node {
  name: string
  attributes: Record<string, string>
  children: Node[]
  text: string
}

/** A strict reader of plain XML: declaration, elements, attributes and text with the five entities; throws otherwise. */
function readXml(xml: string): Node {
  const start = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(xml)
  if (!start) throw new Error('no declaration')
  const top: Node = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  const token = /<(\/?)([a-z]+)((?: [a-z]+="[^"<&]*")*)>|([^<>&]|&(?:amp|lt|gt|quot|apos);)+/gy
  token.lastIndex = start[0].length
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const found = token.exec(xml)
    if (!found) throw new Error(`not well-formed at ${at}: ${xml.slice(at, at + 40)}`)
    const [all, close, name, more] = found
    if (!name) open.at(-1)!.text += decoded(all)
    else if (close) {
      if (open.pop()!.name !== name || more) throw new Error(`</${name}> closes nothing`)
    } else {
      const node = { name, attributes: attributes(more!), children: [], text: '' }
      open.at(-1)!.children.push(node)
      open.push(node)
    }
  }
  if (open.length !== 1 || top.children.length !== 1 || top.text.trim()) throw new Error('not one element')
  return top.children[0]!
}
