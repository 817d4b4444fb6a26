import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { locales } from '../src/app/server/languages.ts'
import { inputSchema } from '../src/kit/server/json-schema.ts'
import type { AnyEndpoint } from '../src/kit/shared/endpoint.ts'
import { addEvent } from './cast.ts'
import { startTestApp, type TestApp } from './start-app.ts'
import { addressOf, askerOf, fillWholeTown, type WholeTown } from './whole-town.ts'

/** Clients of the specification read only `error`: it must name the first thing to correct, in a whole sentence. */

type Texts = Record<'refusals' | 'fields' | 'sentences' | 'labels', Record<string, string>>
const texts = Object.fromEntries(
  locales.map((locale) => [
    locale,
    JSON.parse(readFileSync(new URL(`../messages/${locale}.json`, import.meta.url), 'utf8')) as Texts,
  ]),
)

/** Fields that only programs fill in: every language uses their own name. */
const ofPrograms = new Set(
  [
    // ids and addresses
    'action_id beacon_id business_id case_id checkout_id claim_id deal_id deal_ids device_id entry_id event_id event_ids',
    'handle id ids invoice_id notice_id notification_ids post_id rating_id redemption_id session_id topic_id',
    // secrets, and answers to challenges
    'altcha auth device_secret endpoint error idempotency_key iss keys p256dh payload refreshToken scope subscriber',
    'ticket till_token token',
    // queries
    'after bbox before brief bucket channels compact cost day_from day_to event family first_day free from from_event hide_sponsored',
    'lat limit lon not_begun now offset open openNow order page person since solved sponsored state tag to to_event upcoming view',
    // values of buttons
    'action as choice clock_offset_ms confirmed decision draft dry_run hash hours into kind leave_out linked location_consent mode next',
    'post_number replaces reply_to scanned_at seconds_ago seen solved_number type',
  ].flatMap((line) => line.split(' ')),
)

let app: TestApp
let town: WholeTown
beforeAll(async () => {
  app = await startTestApp({ env: { REQUESTS_PER_SECOND: '1000000', PAYMENTS: 'test' } })
  town = await fillWholeTown(app)
})
afterAll(() => app.close())

const endpoints = () => app.app.operations.map(({ endpoint }) => endpoint).filter(({ webhook }) => !webhook)

interface Shape {
  properties?: Record<string, Shape>
  anyOf?: Shape[]
  oneOf?: Shape[]
  items?: Shape
}

/** Names of all fields of a shape, also nested ones. */
function fieldsIn({ properties = {}, anyOf = [], oneOf = [], items }: Shape): string[] {
  const within = [...Object.values(properties), ...anyOf, ...oneOf, ...(items ? [items] : [])]
  return [...Object.keys(properties), ...within.flatMap(fieldsIn)]
}

const inputsOf = ({ params, query, body, files }: AnyEndpoint): string[] => [
  ...[params, query, body].flatMap((shape) => (shape ? fieldsIn(inputSchema(shape)) : [])),
  ...Object.keys(files ?? {}),
]

it('every field of the API has a label in every language, or is filled in by programs', () => {
  const fields = [...new Set(endpoints().flatMap(inputsOf))].sort()
  expect(fields.length).toBeGreaterThan(150)
  for (const locale of locales) {
    const { labels } = texts[locale]!
    expect(
      fields.filter((name) => !labels[name] && !ofPrograms.has(name)),
      locale,
    ).toEqual([])
    expect(
      Object.keys(labels).filter((name) => !fields.includes(name) || ofPrograms.has(name)),
      `${locale}: labels of no field`,
    ).toEqual([])
  }
  expect([...ofPrograms].filter((name) => !fields.includes(name))).toEqual([])
})

it('a field has the label of the screens', () => {
  const screens: Record<string, string> = {
    deal_name: 'dealForm.name',
    price: 'dealForm.price',
    discount: 'dealForm.discount',
    terms: 'dealForm.terms',
    tags: 'dealForm.tags',
    starts_at: 'dealForm.starts',
    ends_at: 'dealForm.ends',
    active_days: 'dealForm.days',
    start_time: 'dealForm.from',
    end_time: 'dealForm.until',
    total_limit: 'dealForm.total',
    per_user_limit: 'dealForm.perPerson',
    regular_price_chf: 'dealForm.usual',
    regular_price_since: 'dealForm.usualSince',
    business_name: 'businessSignup.name',
    subscription_tier: 'businessSignup.tier',
    email: 'accountForms.email',
    password: 'accountForms.password',
    new_password: 'accountForms.newPassword',
    totp: 'accountForms.code',
    display_name: 'userSignup.name',
    address: 'businessSignup.address',
    logo: 'businessSignup.logo',
    logo_url: 'editBusiness.logoUrl',
    open_hours: 'editBusiness.hours',
    photos: 'editBusiness.photos',
    phone: 'editBusiness.phone',
    website: 'editBusiness.website',
    title: 'forumWrite.topicTitle',
    performers: 'adminEvents.performers',
    venue_name: 'adminEvents.venueName',
    ticket_url: 'adminEvents.tickets',
    comment: 'rateForm.comment',
    amount_chf: 'redeem.amount',
    reminders: 'schedule.reminders',
    radius: 'dealsMap.radius',
    sort: 'dealsMap.sort',
    text_en: 'adminUrgent.text.en',
  }
  const plain = (text: unknown) =>
    String(text)
      .replace(/ \((optional|facultatif)\)$/, '')
      .toLowerCase()
  for (const locale of locales)
    for (const [field, key] of Object.entries(screens)) {
      const shown = key
        .split('.')
        .reduce((tree: unknown, part) => (tree as Record<string, unknown>)[part], texts[locale] as unknown)
      expect(plain(texts[locale]!.labels[field]), `${locale} ${field}`).toBe(plain(shown))
    }
})

interface Answer {
  status: number
  error: string
  code: string
  fields?: Record<string, string>
}

async function send(
  method: string,
  path: string,
  { by, body, locale = 'en' }: { by?: keyof WholeTown['tokens'] | null; body?: string; locale?: string } = {},
): Promise<Answer> {
  const answer = await app.app.inject({
    method: method as 'GET',
    url: path,
    headers: {
      'accept-language': locale,
      'idempotency-key': crypto.randomUUID(),
      ...(by ? { authorization: `Bearer ${town.tokens[by]}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: body }),
  })
  const isJson = String(answer.headers['content-type']).includes('json') && answer.statusCode >= 400
  const refused: Omit<Answer, 'status'> = isJson ? answer.json() : { error: '', code: '' }
  return { ...refused, status: answer.statusCode }
}

/** True where the sentence names its field, or is a text that needs no field name. */
function namesIt(locale: string, { error, fields = {} }: Answer): boolean {
  const { labels, sentences, fields: short } = texts[locale]!
  const [[name, text] = ['', '']] = Object.entries(fields)
  const leaf = name.split('.').findLast((part) => !/^\d+$/.test(part))!
  const isWhole = Object.entries(short).some(([key, fieldText]) => fieldText === text && !sentences[key])
  return error.includes(labels[leaf] ?? leaf) || (isWhole && error === text)
}

describe('the sentences', () => {
  const deal = () => `/api/deals/${town.ids['deal_id']}`
  const put = (body: object, locale = 'en') =>
    send('PUT', deal(), { by: 'merchant', body: JSON.stringify(body), locale })

  it.each([
    [{ deal_name: '' }, 'Deal name must be 1 to 80 characters long.', { deal_name: 'Please fill this in.' }],
    [{ deal_name: '\u2800' }, 'Deal name must be 1 to 80 characters long.', { deal_name: 'Please fill this in.' }],
    [
      { deal_name: 'x'.repeat(81) },
      'Deal name must be 1 to 80 characters long.',
      { deal_name: 'At most 80 characters, please.' },
    ],
    [{ deal_name: null }, 'Deal name must be filled in.', { deal_name: 'Please fill this in.' }],
    [{ deal_name: 5 }, 'Deal name must be text.', { deal_name: 'Please enter text.' }],
    [{ active_days: [8] }, 'Only on these days must be 7 or less.', { 'active_days.0': 'Please enter 7 or less.' }],
    [{ active_days: 3 }, 'Only on these days must be a list.', { active_days: 'Please give a list.' }],
    [
      { category: 'pets' },
      /^Category must be one of: food, .+\.$/,
      { category: expect.stringMatching(/^Please choose one of: food, /) },
    ],
    [
      { starts_at: 'soon' },
      'Starts must be a date and a time such as 2026-06-20T19:30.',
      { starts_at: expect.any(String) },
    ],
    [
      { start_time: '10:00' },
      'Until must be filled in as well: both times, or neither.',
      { end_time: 'Please fill in both times, or neither.' },
    ],
    [
      { starts_at: '2026-11-28T12:00', ends_at: '2026-11-28T11:00' },
      'The end must be after the start.',
      { ends_at: 'The end must be after the start.' },
    ],
    // the first of several wrong fields
    [
      { deal_name: '', latitude: 'north' },
      'Deal name must be 1 to 80 characters long.',
      { deal_name: expect.any(String), latitude: 'Please enter a number.' },
    ],
  ])('of a deal %#', async (body, error, fields) => {
    expect(await put(body)).toMatchObject({
      status: 400,
      error: typeof error === 'string' ? error : expect.stringMatching(error),
      code: 'invalid_input',
      fields,
    })
  })

  it.each([
    ['de', '«Name des Deals» muss 1 bis 80 Zeichen haben.', 'Bitte ausfüllen.'],
    ['fr', 'Le champ «\u00a0Nom de l’offre\u00a0» doit compter de 1 à 80 caractères.', 'Champ obligatoire.'],
  ])('in %s', async (locale, error, deal_name) => {
    expect(await put({ deal_name: ' ' }, locale)).toMatchObject({ error, fields: { deal_name } })
  })

  it.each([
    ['GET', '/api/deals/search?radius=51', null, undefined, 'Radius must be from 0.1 to 50.'],
    ['GET', '/api/deals/search?lat=91', null, undefined, 'lat must be from -90 to 90.'],
    ['GET', '/api/deals?limit=2.5', null, undefined, 'limit must be a whole number.'],
    ['GET', '/api/deals?after=zzz', null, undefined, 'after must come from the Link header of the answer before.'],
    ['GET', '/api/admin/log?from=0000-01-01', 'staff', undefined, 'from must be a day such as 2026-06-20.'],
    [
      'GET',
      '/api/deals/search?q=%ff',
      null,
      undefined,
      'The address of this request contains a % escape that cannot be read.',
    ],
    ['POST', '/api/business/upgrade', 'merchant', { newTier: 'GOLD' }, 'Tier must be one of: PREMIUM, ULTIMATE.'],
    ['POST', '/api/newsletter', null, { email: 'nobody' }, 'Email must be an email address such as name@example.ch.'],
    ['POST', '/api/business/login', null, {}, 'Email must be filled in.'],
    [
      'POST',
      '/api/forum/topics',
      'visitor',
      { category: 'help', title: 'Hm', body: 'Well' },
      'Title must have 5 to 120 characters.',
    ],
  ] as const)('%s %s', async (method, path, by, body, error) => {
    const answer = await send(method, path, { by, ...(body ? { body: JSON.stringify(body) } : {}) })
    expect(answer).toMatchObject({ status: 400, error })
  })

  it('an event that ends before it starts names its end', async () => {
    const event_id = await addEvent(app.db, 'Glasshouse', '2026-11-28T20:00:00Z')
    const body = JSON.stringify({ starts_at: '2026-11-28T20:00:00Z', ends_at: '2026-11-28T19:00:00Z', reason: 'Rain.' })
    expect(await send('PUT', `/api/events/${event_id}`, { by: 'staff', body })).toMatchObject({
      status: 400,
      error: 'The end must be after the start.',
      code: 'end_before_start',
      fields: { ends_at: 'The end must be after the start.' },
    })
  })
})

const odd = [null, 5, -1, 1e15, true, '', 'zzz', '\0', [], [null], ['\0'], { a: 1 }, 'x'.repeat(6000)]
const oddInAddresses = ['zzz', '-1', '1e999', '%00', 'x'.repeat(2001)]

it(
  'whatever is wrong with a field of an operation, the error alone says which and what',
  { timeout: 240_000 },
  async () => {
    const faults: string[] = []
    let refused = 0
    let turn = 0
    const look = (asked: string, locale: string, answer: Answer) => {
      if (answer.status >= 500) faults.push(`${asked}: ${answer.status}`)
      if (answer.status !== 400) return
      refused++
      const { error, code, fields } = answer
      const isSentence = /^\p{Lu}|^«|^[a-z_A-Z]+ must /u.test(error) && /[.?!]$/.test(error) && !/[{}]/.test(error)
      const isNamed = code !== 'invalid_input' || (fields !== undefined && namesIt(locale, answer))
      if (!isSentence || !isNamed || error === texts[locale]!.refusals['invalid_input'] || error.length > 300)
        faults.push(`${asked} (${locale}): ${JSON.stringify({ error, code, fields })}`)
    }
    for (const endpoint of endpoints()) {
      if (endpoint.stream || endpoint.redirects) continue
      const by = askerOf(endpoint)
      const path = addressOf(endpoint, town)
      const ask = async (address: string, body?: string) => {
        const locale = locales[turn++ % locales.length]!
        look(
          `${endpoint.method} ${address} ${body?.slice(0, 80) ?? ''}`,
          locale,
          await send(endpoint.method, address, { by, locale, ...(body === undefined ? {} : { body }) }),
        )
      }
      const queried = endpoint.query ? Object.keys((inputSchema(endpoint.query) as Shape).properties!) : []
      for (const name of queried)
        for (const value of oddInAddresses) await ask(`${path}${path.includes('?') ? '&' : '?'}${name}=${value}`)
      const typed = endpoint.body ? Object.keys((inputSchema(endpoint.body) as Shape).properties ?? {}) : []
      for (const name of typed) for (const value of odd) await ask(path, JSON.stringify({ [name]: value }))
    }
    expect(faults.slice(0, 40)).toEqual([])
    expect(refused).toBeGreaterThan(1500)
  },
)

it('a body that is not a JSON object is refused', async () => {
  for (const endpoint of endpoints().filter((each) => each.body)) {
    const asked = (body: string) => send(endpoint.method, addressOf(endpoint, town), { by: askerOf(endpoint), body })
    const name = `${endpoint.method} ${endpoint.path}`
    for (const body of ['null', '[]', '"text"', '5'])
      expect(await asked(body), `${name} ${body}`).toMatchObject({
        status: 400,
        error: 'The body must be a JSON object.',
        code: 'invalid_input',
        fields: { body: 'The body must be a JSON object.' },
      })
    expect(await asked('{"a":'), name).toMatchObject({
      status: 400,
      error: 'The body must be valid JSON.',
      code: 'bad_request',
    })
  }
})
