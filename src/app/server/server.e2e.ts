import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { addBusiness, addDeal } from '../../../test/cast.ts'
import { sql } from '../../../test/databases.ts'
import { aVisitor, get } from '../../../test/people.ts'
import { api, appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
let dealId: string
let businessId: string

beforeAll(async () => {
  app = await startTestApp({ pages: true })
  businessId = await addBusiness(app.db, 'Café Rhein')
  dealId = await addDeal(app.db, businessId, 'Coffee and cake')
})
afterAll(() => app.close())

const pages = [
  '/',
  '/deals',
  '/business',
  '/terms',
  '/privacy',
  '/help',
  '/learn-more',
  '/contact',
  '/events',
  '/dealsmap',
  '/forum',
  '/nope',
]
const allPages = () => [...pages, `/deal/${dealId}`, `/business/${businessId}`]

describe('every page', () => {
  it('has a strict Content Security Policy, with a new nonce each time', async () => {
    const nonces = new Set<string>()
    for (const page of allPages()) {
      const { headers, text } = await api(app, page)
      const policy = headers.get('content-security-policy')!
      const findings = new CspEvaluator(new CspParser(policy).csp)
        .evaluate()
        .filter((finding) => finding.severity <= 40)
      expect(findings, `${page}: ${policy}`).toEqual([])
      expect(policy).toContain("require-trusted-types-for 'script'")
      expect(policy).not.toContain('unsafe-')
      const nonce = /'nonce-([^']+)'/.exec(policy)![1]!
      expect(text).toContain(`nonce="${nonce}"`)
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(allPages().length)
  })
  it('holds no inline style and no address of another host that a browser would load', async () => {
    for (const page of allPages()) {
      const { text } = await api(app, page)
      expect(text, page).not.toMatch(/\sstyle="/)
      expect(text, page).not.toMatch(/<style/)
      for (const [, url] of text.matchAll(
        /<(?:script|img|link|iframe|source)\b[^>]*?\s(?:src|href|srcset)="([^"]+)"/g,
      )) {
        if (!/rel="canonical"|rel="alternate"/.test(text.slice(text.indexOf(url!) - 80, text.indexOf(url!))))
          expect(url, page).toMatch(/^\/(?!\/)/)
      }
    }
  })
  it('answers HEAD like GET without a body', async () => {
    for (const page of allPages()) {
      const got = await api(app, page)
      const head = await api(app, page, { method: 'HEAD' })
      expect(head).toMatchObject({ status: got.status, text: '' })
    }
  })
  it('sends the other safety headers, and those for TLS only over TLS', async () => {
    const { headers } = await api(app, '/')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests')
  })
})

describe('unknown addresses', () => {
  it('are a 404 page for people', async () => {
    const { status, text, headers } = await api(app, '/no/such/page')
    expect(status).toBe(404)
    expect(headers.get('content-type')).toContain('text/html')
    expect(text).toContain('Page Not Found')
  })
  it('of forum members are a 404 that says so', async () => {
    const { status, text } = await api(app, '/forum/members/nobody-here')
    expect(status).toBe(404)
    expect(text).toContain('Member not found.')
    expect(text).toContain('It may have been removed, or the link contains a typo.')
  })
  it.each(['/a%0ab', '/%0d%0aset-cookie:x', '/.//evil.example/deals', '/\\evil.example/'])(
    'are the 404 page too when they are odd: %s',
    async (path) => {
      const answer = await rawText(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 404 /)
      expect(answer).toContain('Page Not Found')
      expect(answer).not.toContain('//evil.example')
    },
  )
  it.each(['/api', '/api/', '/api/nope', '/api/deals/x/y/z'])('are JSON below /api: %s', async (path) => {
    const { status, body } = await api(app, path)
    expect(status).toBe(404)
    expect(body).toMatchObject({ error: 'Not found.', code: 'not_found' })
  })
  it.each([
    '/.env',
    '/.git/config',
    '/metrics',
    '/assets/../package.json',
    '/assets/%2e%2e/server/index.js',
    '/build/server/index.js',
    '/assets/',
    '/package.json',
    '/src/app/main.ts',
  ])('give nothing away: %s', async (path) => {
    const { status } = await api(app, path)
    expect(status).toBe(404)
  })
})

describe('addresses that answer to another method only', () => {
  it.each([
    ['PUT', '/deals'],
    ['OPTIONS', '/'],
    ['GET', '/assets/x'],
  ])('%s %s is refused with our JSON', async (method, path) => {
    const { status, body } = await api(app, path, { method })
    expect(status).toBe(404)
    expect(body).toEqual({ error: 'Not found.', code: 'not_found' })
  })
})

describe('operations asked for by another method', () => {
  it.each([
    ['PATCH', '/api/deals', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/api/deals/search', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/contact', 'POST, OPTIONS'],
    ['HEAD', '/api/contact', 'POST, OPTIONS'],
    ['PUT', '/api/me', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['DELETE', '/api/deals/nope/view', 'PUT, OPTIONS'],
  ])('%s %s is a 405 that names the allowed methods', async (method, path, allow) => {
    const { status, body, headers } = await api(app, path, { method, ...(method === 'POST' ? { body: '{}' } : {}) })
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allow)
    if (method !== 'HEAD') expect(body).toEqual({ error: 'That is not possible here.', code: 'method_not_allowed' })
  })
  it('OPTIONS names the allowed methods, and allows no other origin', async () => {
    const { status, headers, text } = await api(app, '/api/me', {
      method: 'OPTIONS',
      headers: { origin: 'https://x.ch' },
    })
    expect([status, text]).toEqual([204, ''])
    expect(headers.get('allow')).toBe('GET, HEAD, PATCH, DELETE, OPTIONS')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('a body of another type', () => {
  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', ';;='])(
    '%s is a 415',
    async (type) => {
      const init = { method: 'POST', headers: { 'content-type': type }, body: '{"email":"lena@example.org"}' }
      expect(await api(app, '/api/auth/forgot', init)).toMatchObject({
        status: 415,
        body: { code: 'unsupported_media_type' },
      })
    },
  )
  it('is a 413 when it is too large', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: `"${'x'.repeat(300_000)}"` }
    expect(await api(app, '/api/auth/forgot', init)).toMatchObject({ status: 413, body: { code: 'too_large' } })
  })
})

describe('odd requests', () => {
  it.each([
    ['GET', '/deal/%E0%A4%A'],
    ['GET', '/%'],
    ['GET', '/deals?q=%E0%A4%A'],
    ['GET', '/api/deals/%E0%A4%A'],
    ['GET', '/api/deals/search?q=%E0%A4%A'],
    ['GET', '/deals?q=%00'],
    ['GET', '/deals?radius=abc&limit=1e309'],
    ['GET', '/deal/%00'],
    ['GET', '/business/%F0%9F'],
    ['GET', '//evil.example/'],
    ['GET', '/\\evil.example'],
    ['GET', '/deals.data'],
    ['GET', '/_root.data?_routes=x'],
    ['GET', '/__manifest?paths=/x'],
    ['POST', '/'],
    ['POST', '/deals'],
    ['PUT', '/deals'],
    ['DELETE', '/'],
    ['PATCH', '/api/deals'],
    ['POST', '/api/deals/search'],
    ['OPTIONS', '/api/deals'],
    ['POST', '/preferences'],
  ])('%s %s is answered without a 5xx', async (method, path) => {
    const status = await raw(method, path)
    expect(status).toBeGreaterThanOrEqual(200)
    expect(status).toBeLessThan(500)
  })
  it.each(['evil.example', 'a b', '', '[::1', 'localhost:99999', 'x'.repeat(3000)])(
    'with the Host "%s" are answered without a 5xx, and the answer does not contain it',
    async (host) => {
      const answer = await rawText(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 [234]/)
      if (host === 'evil.example') expect(answer).not.toContain('evil.example')
    },
  )
  it('that are not valid HTTP get a 400', async () => {
    expect(await rawText('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await rawText('GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  })
  it('with a foreign Origin get no permission to read the answer', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const { headers } = await api(app, '/api/deals', { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('choosing a language and a theme', () => {
  const choose = (form: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/preferences`, {
      method: 'POST',
      redirect: 'manual',
      body: form,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })

  it('is stored in a cookie and leads back to the page', async () => {
    const answer = await choose('lang=de&next=%2Fdeals%3Fq%3Dkaffee')
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/deals?q=kaffee')
    expect(answer.headers.get('set-cookie')).toMatch(/^lang=de; Path=\/; Max-Age=31536000; SameSite=Lax; HttpOnly$/)
    const { text } = await api(app, '/', { headers: { cookie: 'lang=de; theme=river' } })
    expect(text).toContain('<html lang="de" data-theme="river"')
  })
  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])(
    'has no effect on another site (%s)',
    async (origin) => {
      const answer = await choose('lang=de', { origin })
      expect(answer.status).toBe(303)
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect((await choose('lang=de', { origin: app.url })).headers.get('set-cookie')).toMatch(/^lang=de/)
    },
  )
  it('works on our own pages with no-referrer, such as those of mailed links', async () => {
    const set = async (site: string) =>
      (await choose('lang=de', { origin: 'null', 'sec-fetch-site': site })).headers.get('set-cookie')
    expect(await set('same-origin')).toMatch(/^lang=de/)
    expect(await set('cross-site')).toBeNull()
  })
  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/%5cevil',
    'javascript:alert(1)',
    '/\tevil',
    'evil',
    '',
    '/\u202e',
    '/deals?q=ü',
  ])('never leads elsewhere: %s', async (next) => {
    const location = (await choose(`lang=fr&next=${encodeURIComponent(next)}`)).headers.get('location')!
    expect(new URL(location, app.url).origin).toBe(new URL(app.url).origin)
  })
  it('stores only known languages and themes', async () => {
    expect((await choose('lang=xx&theme=pink')).headers.get('set-cookie')).toBeNull()
    expect((await choose('lang=de%0d%0aSet-Cookie:x=1')).headers.get('set-cookie')).toBeNull()
    const { text } = await api(app, '/', { headers: { cookie: 'lang="><script>; theme=../../' } })
    expect(text).toContain('<html lang="en"')
  })
  it('speaks the chosen language in refusals too', async () => {
    const { body } = await api(app, '/api/deals/nope', { headers: { cookie: 'lang=de' } })
    expect(body.code).toBe('deal_not_found')
    expect(typeof body.error).toBe('string')
  })
})

describe('the service', () => {
  it('says that it lives and that it is ready', async () => {
    expect(await api(app, '/healthz')).toMatchObject({ status: 200, body: { status: 'live' } })
    expect(await api(app, '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })
  it('limits the requests of one address, and says how long to wait', async () => {
    const small = await appForTest({ env: { REQUESTS_PER_SECOND: '100' } })
    // time stands still, so that a slow machine makes all requests within one second too
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => clock.mockRestore())
    expect((await api(small, '/api/deals')).headers.get('ratelimit')).toBe('"address";r=99;t=1')
    const answers = await Promise.all(Array.from({ length: 400 }, () => api(small, '/api/deals')))
    const statuses = new Set(answers.map(({ status }) => status))
    expect(statuses).toEqual(new Set([200, 429]))
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.body.code).toBe('too_many_requests')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit')).toBe('"address";r=0;t=1')
    expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"address";q=100;w=1')
    // health checks are not limited
    expect((await api(small, '/healthz')).status).toBe(200)
  })
  it('describes itself: every operation with its answers and refusals', async () => {
    const { body } = await api(app, '/api/openapi.json')
    expect(body.openapi).toMatch(/^3\.1/)
    for (const path of [
      '/api/deals/search',
      '/api/deals/{deal_id}',
      '/api/deals/business/{business_id}',
      '/api/business/{business_id}',
      '/api/business/{business_id}/view',
      '/api/deals',
      '/api/deals/{deal_id}/view',
      '/api/contact',
    ])
      expect(Object.keys(body.paths)).toContain(path)
    const search = body.paths['/api/deals/search'].get
    expect(search.parameters.map((parameter: { name: string }) => parameter.name).toSorted()).toEqual(
      [
        'after',
        'bbox',
        'category',
        'compact',
        'hide_sponsored',
        'lat',
        'limit',
        'lon',
        'max_price',
        'offset',
        'openNow',
        'q',
        'radius',
        'sort',
        'sponsored',
        'view',
      ].toSorted(),
    )
    expect(search.responses['400'].description).toContain('invalid_input')
    const { schema } = body.paths['/api/deals/{deal_id}'].get.responses['200'].content['application/json']
    expect(schema).toEqual({ $ref: '#/components/schemas/Deal' })
    expect(body.components.schemas.Deal.properties).toHaveProperty('deal_name')
  })
  it('compresses what is worth it', async () => {
    const { headers } = await api(app, '/', { headers: { 'accept-encoding': 'br' } })
    expect(headers.get('content-encoding')).toBe('br')
  })
  it('gives each answer an id and does not name its software', async () => {
    const { headers } = await api(app, '/api/deals')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('server')).toBeNull()
  })
})

describe('the log', () => {
  const broken = (log: string[]) => log.filter((line) => line.includes('a database connection broke'))
  async function cutOff(on: TestApp) {
    await sql(
      on.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
    )
  }
  it('has one JSON line per event, also for faults outside of requests', async () => {
    const log: string[] = []
    await cutOff(await appForTest({ log }))
    await expect.poll(() => broken(log).length).toBeGreaterThan(0)
    for (const line of log) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) })
  })
  it('keeps to LOG_LEVEL everywhere', async () => {
    const log: string[] = []
    const quiet = await appForTest({ log, env: { LOG_LEVEL: 'fatal' } })
    await cutOff(quiet)
    // when the database answers again, the pool has noticed the broken connections
    await expect.poll(async () => (await fetch(`${quiet.url}/readyz`)).status).toBe(200)
    expect(broken(log)).toEqual([])
  })
})

describe('the QR code of a page', () => {
  it('leads to a page of this site and nowhere else', async () => {
    const one = await api(app, `/qr.svg?path=${encodeURIComponent('/deals?category=food')}`)
    expect(one.status).toBe(200)
    expect(one.headers.get('content-type')).toContain('image/svg+xml')
    expect(one.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(one.text).toContain('<path')
    for (const path of ['', 'https://elsewhere.ch', '//elsewhere.ch', '/\\elsewhere.ch', '/a b', `/${'a'.repeat(300)}`])
      expect((await api(app, `/qr.svg?path=${encodeURIComponent(path)}`)).status, path).toBe(404)
    expect((await api(app, '/qr.svg?path=/reset-password%3Ftoken%3Dx')).status).toBe(404)
  })
})

describe('generated posters', () => {
  it('are the same for the same deal, and sandboxed', async () => {
    const path = `/poster/deal/food/${dealId}.svg?t=C`
    const one = await api(app, path)
    expect(one.status).toBe(200)
    expect(one.headers.get('content-type')).toContain('image/svg+xml')
    expect(one.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect((await api(app, path)).text).toBe(one.text)
  })
  it.each([
    '/poster/deal/food/x.png',
    '/poster/cat/food/x.svg',
    '/poster/deal/FOOD/x.svg',
    '/poster/deal/food/%3Cscript%3E.svg',
    '/poster/deal/food/..%2f..%2f.svg',
  ])('do not exist at %s', async (path) => expect((await api(app, path)).status).toBe(404))
  it('contain no markup from the address', async () => {
    const { text } = await api(app, `/poster/deal/food/x.svg?t=${encodeURIComponent('<script>alert(1)</script>')}`)
    expect(text).not.toContain('<script')
  })
})

function raw(method: string, path: string): Promise<number> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path }, (answer) => {
      answer.resume()
      resolve(answer.statusCode!)
    })
    sent.on('error', reject).end()
  })
}

function rawText(text: string): Promise<string> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    socket.setTimeout(5000, () => socket.destroy())
    socket.write(text)
  })
}

describe('answers that are the same for everybody', () => {
  const cachedByCdn = 'public, max-age=0, must-revalidate, s-maxage=2'
  const sharedPaths = (own: TestApp, ids: Record<string, string>) =>
    own.app.operations
      .filter(({ endpoint }) => endpoint.shared)
      .map(({ endpoint }) => endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '-'))

  it('may be cached by a CDN where the operator allows it: no nonce, no cookie, the same in every language', async () => {
    const own = await appForTest({ env: { PUBLIC_CACHE_SECONDS: '2' } })
    const business_id = await addBusiness(own.db, 'Café Rhein')
    const deal_id = await addDeal(own.db, business_id, 'Coffee and cake')
    const lena = await aVisitor(own)
    let found = 0
    for (const path of sharedPaths(own, { business_id, deal_id })) {
      const where = path.endsWith('/search') ? `${path}?q=coffee` : path
      const plain = await api(own, where)
      if (plain.status !== 200) {
        // a 404 is not cached
        expect(plain.headers.get('cache-control'), where).toBe('no-store')
        continue
      }
      found++
      expect(plain.headers.get('cache-control'), where).toBe(cachedByCdn)
      expect(plain.headers.get('set-cookie'), where).toBeNull()
      expect(plain.headers.get('content-security-policy'), where).not.toContain('nonce-')
      const elsewhere = { 'accept-language': 'fr', cookie: 'lang=de; theme=river', 'user-agent': 'another phone' }
      expect((await api(own, where, { headers: elsewhere })).text, where).toBe(plain.text)
      const asked = await get(own, where, lena.authToken)
      const countsToken = (plain.headers.get('vary') ?? '').toLowerCase().includes('authorization')
      if (countsToken) expect(asked.headers.get('cache-control'), where).not.toContain('public')
      else expect(asked.text, where).toBe(plain.text)
    }
    expect(found).toBeGreaterThan(15)
    // no etag for the shared answer: a rating does not change the deal's version, so an answer without it would count as current
    for (const [token, tag] of [
      [undefined, null],
      [lena.authToken, /^"20/],
    ] as const) {
      const { headers } = await get(own, `/api/deals/${deal_id}`, token)
      if (tag) expect(headers.get('etag')).toMatch(tag)
      else expect(headers.get('etag')).toBeNull()
    }
    for (const path of ['/', `/deal/${deal_id}`, '/api/me', '/api/auth/challenge', '/api/urgent'])
      expect((await api(own, path)).headers.get('cache-control'), path).not.toContain('s-maxage')
  })

  it('are GETs without changes, and are not cached by a CDN by default', async () => {
    for (const { endpoint } of app.app.operations.filter((each) => each.endpoint.shared))
      expect([endpoint.method, typeof endpoint.access, endpoint.changes ?? false]).toEqual(['GET', 'string', false])
    expect((await api(app, '/api/deals')).headers.get('cache-control')).toBe('no-cache')
  })
})
