/** Answers of an API that follows only the specification, and of one that does not follow it. */

export const deal = {
  deal_id: 'd1',
  deal_name: 'Happy hour',
  description: 'Two for one.',
  price: '12.50',
  discount: '50%',
  latitude: 47.55,
  longitude: 7.58,
  is_premium: true,
}
export const business = {
  business_id: 'b1',
  business_name: 'Café Rhein',
  email: 'rhein@example.org',
  address: 'Rheingasse 1',
  logo_url: 'https://example.org/logo.png',
  description: 'By the river.',
  open_hours: 'Mo-Fr 08:00-18:00',
  latitude: 47.56,
  longitude: 7.59,
  subscription_tier: 'FREE',
}
const venue = {
  venue_id: 'v1',
  venue_name: 'Kaserne',
  address: 'Klybeckstrasse 1b',
  latitude: 47.56,
  longitude: 7.59,
  capacity: 800,
  step_free: true,
  quiet_area: false,
}
export const event = {
  event_id: 'e1',
  title: 'Hochwasser',
  description: 'Loud.',
  category: 'music',
  status: 'moved',
  starts_at: '2026-06-20T19:15:00.000Z',
  ends_at: '2026-06-20T20:15:00.000Z',
  festival_day: '2026-06-20',
  stage_id: 's1',
  stage: 'Rheinbühne',
  venue,
  performers: [{ performer_id: 'p1', performer_name: 'Hochwasser' }],
  languages: ['de'],
  price_chf: 12.5,
  ticket_url: 'https://example.org/tickets',
  age_min: 16,
  family_friendly: false,
  image_url: 'https://example.org/picture.jpg',
  previous: { starts_at: '2026-06-20T18:15:00.000Z', venue: 'Marktplatz' },
  saves: 7,
  sequence: 1,
}
/** An event without a start cannot be in a programme. */
const timed = (thing: Thing) => ({ ...thing, starts_at: event.starts_at, festival_day: event.festival_day })
const programme = {
  days: [{ day: event.festival_day, events: '9' }, { day: 'soon' }],
  stages: [{ stage_id: 's1', stage: 'Rheinbühne', venue }, { stage_id: 's2' }],
  categories: ['music', 'moon'],
  today: event.festival_day,
}
const stats = { profileViews: 3, dealClicks: 2, sales: 10.5 }
const mapConfig = {
  center: { latitude: 47.5596, longitude: '7.5886' },
  bounds: { west: 7.3, south: 47.4, east: 7.9, north: '47.7' },
}
const me = { display_name: 'Lena', email: 'lena@example.org' }
const session = { session_id: 's1', browser: 'Firefox' }

type Thing = Record<string, unknown>

/** Variants of a specified thing: without one field each, with numbers as text and ids as numbers, and with nonsense. */
export function variantsOf(thing: Thing): Record<string, Thing> {
  const each = (change: (value: unknown, name: string) => unknown) =>
    Object.fromEntries(Object.entries(thing).map(([name, value]) => [name, change(value, name)]))
  const without = Object.keys(thing).map((left) => [
    `no-${left}`,
    Object.fromEntries(Object.entries(thing).filter(([name]) => name !== left)),
  ])
  return {
    specified: thing,
    ...(Object.fromEntries(without) as Record<string, Thing>),
    texts: each((value) => String(value)),
    numbers: each((value, name) => (name.endsWith('_id') ? 7 : value)),
    nulls: each((value, name) => (/_(id|name)$/.test(name) ? value : null)),
    nonsense: each((value, name) => (/_(id|name)$/.test(name) ? value : { what: ['?'] })),
    words: each((value, name) => (/_(id|name)$/.test(name) ? value : 'soon')),
    more: { ...thing, extra: { deep: true }, error: null, starts_at: 'soon', open_until: 'never', tags: 'none' },
  }
}

/** The rows as an API lists them, each with its own id. */
const rows = (thing: Thing, id: string) =>
  Object.entries(variantsOf(thing)).map(([name, row]) => (row[id] === undefined ? row : { ...row, [id]: name }))

/** Lists use the id as React key. */
const numbered = (row: Thing, index: number) =>
  row['event_id'] === undefined ? row : { ...row, event_id: `e${index}` }

/** The answers of such an API; the last part of the address of a thing names its variant. */
export function specifiedAnswer(path: string): unknown {
  const of = (thing: Thing) => variantsOf(thing)[path.split('/').at(-1)!] ?? thing
  if (path.startsWith('/api/deals/business/')) return rows(deal, 'deal_id')
  if (path === '/api/deals' || path === '/api/deals/search') return rows(deal, 'deal_id')
  if (path.startsWith('/api/deals/')) return of(deal)
  if (path === '/api/business' || path === '/api/business/search') return rows(business, 'business_id')
  if (path === '/api/business/letters') return { letters: ['c'] }
  if (path.endsWith('/subscription')) return { subscription_tier: 'PREMIUM' }
  if (path.endsWith('/stats')) return stats
  if (path.endsWith('/my-subscription')) return { provider_id: 7, status: 'active', current_period_end: 'soon' }
  if (path.startsWith('/api/business/')) return of(business)
  if (path === '/api/events') return [...rows(event, 'event_id'), ...rows(event, 'event_id').map(timed)].map(numbered)
  if (path === '/api/events/programme') return programme
  if (path === '/api/events/now-next')
    return [{ stage: programme.stages[0], next: event }, { stage: programme.stages[1] }]
  if (path === '/api/events/venues')
    return Object.values(variantsOf(venue)).map((each) => ({ venue: each, now: null, next: event }))
  if (path.endsWith('/neighbours')) return { previous: event, parallel: rows(event, 'event_id').map(timed), sets: null }
  if (path.startsWith('/api/events/')) return timed(of(event))
  if (path === '/api/me/sessions') return rows(session, 'session_id')
  if (path === '/api/me') return me
  // not specified, but the privacy page must know it
  if (path === '/api/map/config') return mapConfig
  return {}
}

/** Answers with nothing to show: status and raw body. */
export const unreadable: Record<string, { status: number; body: string; says?: string }> = {
  'an error with 200': { status: 200, body: '{"error":"Closed for today."}', says: 'Closed for today.' },
  'an error with 403': { status: 403, body: '{"error":"Closed for you."}', says: 'Closed for you.' },
  'an error with 500': { status: 500, body: '{"error":"The till is broken."}', says: 'The till is broken.' },
  'an error that is no text': { status: 400, body: '{"error":{"what":1}}' },
  nothing: { status: 200, body: '' },
  HTML: { status: 200, body: '<!DOCTYPE html><h1>Proxy</h1>' },
  null: { status: 200, body: 'null' },
  'an empty object': { status: 200, body: '{}' },
  'a text': { status: 200, body: '"OK"' },
}
