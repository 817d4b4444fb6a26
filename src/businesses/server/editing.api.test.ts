import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aMerchant, aVisitor, get, goodPassword, post, type Person } from '../../../test/people.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { picturesShown } from '../../deals/server/own-deals.ts'
import { createFileStore, newFileName } from '../../kit/server/uploads.ts'
import { picturesADay } from '../contract/editing.ts'
import { deleteUnusedPictures } from './pictures.ts'

type Merchant = Person & { businessId: string }

let app: TestApp
let cafe: Merchant
let bar: Merchant
/** Hosts of logos on this machine: one that these tests may ask, and one that is forbidden. */
let host: Server
let canary: Server
let canaryHits = 0
const names: Record<string, string> = {}
const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
  host = createServer((request, response) => {
    if (request.url === '/logo.png') return response.end(picture)
    if (request.url === '/moved')
      return response.writeHead(302, { location: `http://127.0.0.1:${portOf(canary)}/` }).end()
    if (request.url === '/text') return response.end('no picture')
    if (request.url === '/endless') return void response.write(Buffer.alloc(9 * 1024 * 1024))
    return response.writeHead(404).end()
  })
  canary = createServer((_, response) => {
    canaryHits++
    response.end('secret')
  })
  for (const server of [host, canary]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  app = await startTestApp({
    outside: {
      resolve: async (name) => {
        if (names[name]) return [{ address: names[name], family: 4 }]
        throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      },
      isAllowed: (address, port) => address === '127.0.0.1' && port === portOf(host),
    },
  })
  cafe = await aMerchant(app)
  bar = await aMerchant(app, 'bar@example.org', { business_name: 'Bar Nord' })
})
afterAll(async () => {
  await app.close()
  host.closeAllConnections()
  host.close()
  canary.close()
})
beforeEach(() => app.setNow(saturdayEvening))

const put = (body: object, by: Merchant = cafe, headers: Record<string, string> = {}, id = cafe.businessId) =>
  post(app, `/api/business/${id}`, body, { method: 'PUT', token: by.authToken, headers })
const own = async () => (await get(app, `/api/business/${cafe.businessId}`, cafe.authToken)).body
const upload = async (bytes: Uint8Array | string, by: Merchant = cafe) => {
  const form = new FormData()
  form.set('file', new File([bytes as BlobPart], 'a.png'))
  return api(app, '/api/uploads', { method: 'POST', body: form, headers: { authorization: `Bearer ${by.authToken}` } })
}
const aPicture = () =>
  sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#26a' } })
    .jpeg()
    .toBuffer()

it('a merchant can upload only so many pictures a day, even several at once', async () => {
  const bar = await aMerchant(app, 'pictures@example.org')
  await app.db
    .insertInto('merchant_pictures')
    .values(
      Array.from({ length: picturesADay - 2 }, () => ({
        name: newFileName(),
        business_id: bar.businessId,
        made_at: new Date(saturdayEvening),
      })),
    )
    .execute()
  const bytes = await aPicture()
  const statuses = (await Promise.all(Array.from({ length: 5 }, () => upload(bytes, bar)))).map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 429, 429, 429])
})

describe('the profile', () => {
  it('accepts the specified payload and answers the whole business', async () => {
    const sent = {
      business_name: 'Café am Rhein',
      email: 'hello@example.org',
      address: 'Rheingasse 1, 4058 Basel',
      logo_url: '',
      description: 'Coffee with a view.',
    }
    const { status, body } = await put(sent)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...sent, logo_url: null, business_id: cafe.businessId, subscription_tier: 'FREE' })
    expect((await put({})).body).toMatchObject({ ...sent, logo_url: null })
    expect((await put({ address: '', description: null })).body).toMatchObject({ address: null, description: null })
    const seen = await get(app, `/api/business/${cafe.businessId}`)
    expect(seen.body).toMatchObject({ business_name: 'Café am Rhein' })
    expect(seen.body).not.toHaveProperty('email')
  })

  it('changes the contact email, not the login', async () => {
    await put({ email: 'contact@example.org' })
    expect((await post(app, '/api/business/login', { email: cafe.email, password: goodPassword })).status).toBe(200)
  })

  it('accepts hours, place, phone, website and category, and the business is open at once', async () => {
    const sent = {
      open_hours: 'Mo-Fr 08:00-18:00; Sa 10:00-02:00',
      latitude: 47.56,
      longitude: 7.59,
      phone: '+41 61 123 45 67',
      website: 'https://cafe.example.org',
      category: 'food',
    }
    const { status, body } = await put(sent)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ ...sent, open_now: true })
    expect(Date.parse(body.open_until)).toBe(Date.parse('2026-06-21T00:00:00Z'))
    expect(body.opening_week.seasons[0].days[5]).toMatchObject({
      day: 'Sa',
      spans: [{ opens: '10:00', closes: '02:00' }],
    })
    expect((await put({ open_hours: '' })).body).toMatchObject({ open_hours: null, open_now: null })
  })

  it.each([
    ['goldenes-fass.ch', 'https://goldenes-fass.ch'],
    ['www.goldenes-fass.ch:8080/menu?day=1', 'https://www.goldenes-fass.ch:8080/menu?day=1'],
    ['http://goldenes-fass.ch', 'http://goldenes-fass.ch'],
  ])('takes the website %o as %s', async (website, stored) => {
    expect((await put({ website })).body).toMatchObject({ website: stored })
  })

  it.each([
    ['an empty name', { business_name: ' ' }, 'business_name'],
    ['an email that is none', { email: 'nobody' }, 'email'],
    ['hours that no rule can read', { open_hours: 'when we feel like it' }, 'open_hours'],
    ['a latitude beyond the earth', { latitude: 91, longitude: 7 }, 'latitude'],
    ['half a place', { latitude: null, longitude: 7 }, 'latitude'],
    ['a website that runs a script', { website: 'javascript:alert(1)' }, 'website'],
    ['a website that is a mail address', { website: 'info@goldenes-fass.ch' }, 'website'],
    ['a website that is a word', { website: 'instagram' }, 'website'],
    ['a latitude that is no number, as the form sends it', { latitude: 'north', longitude: '7.59' }, 'latitude'],
    ['an address of 201 letters', { address: 'x'.repeat(201) }, 'address'],
    ['NUL', { description: '\0' }, 'description'],
    ['seven photos', { photos: Array(7).fill('/uploads/x') }, 'photos'],
    ['a photo that nobody uploaded', { photos: ['/uploads/0190a000-0000-7000-8000-000000000000.webp'] }, 'photos'],
  ])('with %s is refused beside the field, and nothing changes', async (_, body, field) => {
    const before = await own()
    const refused = await put(body)
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(Object.keys(refused.body.fields)).toContain(field)
    expect(await own()).toEqual(before)
  })

  it('with a seventh photo is refused with the limit', async () => {
    const { body } = await put({ photos: Array(7).fill('/uploads/x') })
    expect(body.fields).toEqual({ photos: 'At most 6, please.' })
  })

  it('with an outdated version is refused', async () => {
    const { headers } = await get(app, `/api/business/${cafe.businessId}`, cafe.authToken)
    const tag = headers.get('etag')!
    expect((await put({ phone: '1' }, cafe, { 'if-match': tag })).status).toBe(200)
    // a retry after a lost answer
    expect((await put({ phone: '1' }, cafe, { 'if-match': tag })).status).toBe(200)
    expect(await put({ phone: '2' }, cafe, { 'if-match': tag })).toMatchObject({
      status: 409,
      body: { code: 'changed_meanwhile' },
    })
    expect((await own()).phone).toBe('1')
  })

  it('of another merchant is refused; others see nothing of a subscription but the tier', async () => {
    expect((await put({ business_name: 'Stolen' }, bar)).status).toBe(403)
    expect((await put({ business_name: 'Stolen' }, (await aVisitor(app)) as Merchant)).status).toBe(403)
    expect((await put({}, cafe, {}, '0190a000-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await get(app, `/api/business/${cafe.businessId}/subscription`, bar.authToken)).body).toEqual({
      subscription_tier: 'FREE',
    })
    expect((await get(app, `/api/business/${cafe.businessId}/stats`, bar.authToken)).status).toBe(404)
  })
})

describe('pictures', () => {
  it('are re-encoded and belong to the merchant who uploaded them', async () => {
    const { status, body } = await upload(await aPicture())
    expect(status).toBe(201)
    const answer = await fetch(`${app.url}${body.url}`)
    const { width, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect({ width, format }).toEqual({ width: 1600, format: 'webp' })
    expect((await put({ photos: [body.url] }, bar, {}, bar.businessId)).status).toBe(400)
    expect((await put({ photos: [body.url], logo_url: body.url })).body).toMatchObject({
      photos: [body.url],
      logo_url: body.url,
      logo_image: body.url,
    })
    const deal = await post(app, '/api/deals', { deal_name: 'A', image_url: body.url }, { token: bar.authToken })
    expect(Object.keys(deal.body.fields)).toEqual(['image_url'])
  })
  it.each(['no picture', '<svg xmlns="http://www.w3.org/2000/svg"/>'])(
    'are refused when they are none: %s',
    async (bytes) => expect(await upload(bytes)).toMatchObject({ status: 422, body: { code: 'picture_no_image' } }),
  )
  it('that nothing shows are deleted after a day', async () => {
    const shown = (await upload(await aPicture())).body.url
    const ofDeal = (await upload(await aPicture())).body.url
    const left = (await upload(await aPicture())).body.url
    await put({ photos: [shown], logo_url: null })
    const deal = await post(app, '/api/deals', { deal_name: 'A', image_url: ofDeal }, { token: cafe.authToken })
    expect(deal.status).toBe(201)
    await deleteUnusedPictures(
      {
        db: app.db,
        clock: { now: () => Temporal.Instant.from('2026-06-22T12:00:00Z') },
        files: createFileStore({ folder: join(app.dataDir, 'uploads'), s3: null }),
      },
      [picturesShown],
    )
    const found = await Promise.all([shown, ofDeal, left].map(async (url) => (await fetch(`${app.url}${url}`)).status))
    expect(found).toEqual([200, 200, 404])
  })
})

describe('a logo on another host', () => {
  it('keeps its address as typed and is shown from an own copy', async () => {
    names['logos.example.org'] = '127.0.0.1'
    const logo_url = `http://logos.example.org:${portOf(host)}/logo.png`
    expect((await put({ logo_url })).body).toMatchObject({ logo_url })
    await app.runJobs()
    const { logo_image } = await own()
    expect(logo_image).toMatch(/^\/uploads\/.*\.webp$/)
    const answer = await fetch(`${app.url}${logo_image}`)
    expect((await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width).toBe(512)
    expect((await put({ logo_url: '' })).body).toMatchObject({ logo_url: null, logo_image: null })
  })
  it.each(['/moved', '/text', '/endless', '/missing'])('that is no picture at %s shows the fallback', async (path) => {
    const logo_url = `http://127.0.0.1:${portOf(host)}${path}`
    expect((await put({ logo_url })).status).toBe(200)
    await app.runJobs()
    expect(await own()).toMatchObject({ logo_url, logo_image: null })
    expect(canaryHits).toBe(0)
  })
  it('whose host does not resolve does not stop the save', async () => {
    const logo_url = 'https://nowhere.example.org/logo.png'
    expect((await put({ logo_url })).body).toMatchObject({ logo_url, logo_image: null })
  })
  it('is not fetched if the host’s IP address changed since the check', async () => {
    names['turning.example.org'] = '127.0.0.1'
    const logo_url = `http://turning.example.org:${portOf(host)}/logo.png`
    names['turning.example.org'] = '93.184.216.34'
    expect((await put({ logo_url: `http://turning.example.org:${portOf(canary)}/` })).status).toBe(200)
    names['turning.example.org'] = '127.0.0.1'
    await app.runJobs()
    expect((await put({ logo_url })).status).toBe(200)
    await app.runJobs()
    expect(canaryHits).toBe(0)
  })
  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://172.16.5.4/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[2002:7f00:1::]/',
    'http://inside.example.org/',
    'http://user:secret@example.org/',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'ftp://example.org/logo.png',
    'gopher://example.org/',
    'javascript:alert(1)',
    '//example.org/logo.png',
    '/etc/passwd',
    '/uploads/../secret.webp',
    '/uploads/0190a000-0000-7000-8000-000000000000.webp',
    'logo.png',
  ])('is refused where it leads inside: %s', async (logo_url) => {
    names['localhost'] = '127.0.0.1'
    names['inside.example.org'] = '10.1.2.3'
    const { status, body } = await put({ logo_url })
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'Logo URL is not allowed.' })
    expect(canaryHits).toBe(0)
  })
})
