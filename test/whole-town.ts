import { expect } from 'vitest'
import type { Database } from '../src/kit/server/database.ts'
import type { Operation } from '../src/kit/server/serve-endpoint.ts'
import { changesSomething, type AnyEndpoint } from '../src/kit/shared/endpoint.ts'
import { addDeal, addEvent } from './cast.ts'
import { aMerchant, aVisitor, get, logIn, post } from './people.ts'

type Kind = 'visitor' | 'merchant' | 'staff'

/** A database with one thing for every id that a path can have, and a person of each kind. */
export interface WholeTown {
  tokens: Record<Kind, string>
  /** Values of path parameters such as `{deal_id}`, with secrets of addresses and of the till. */
  ids: Record<string, string>
}

export async function fillWholeTown(app: { url: string; db: Database }): Promise<WholeTown> {
  const change = (email: string, values: Record<string, unknown>) =>
    app.db.updateTable('accounts').set(values).where('email', '=', email).execute()
  const visitor = await aVisitor(app, 'lena@example.org')
  const merchant = await aMerchant(app, 'cafe@example.org')
  const staff = await aVisitor(app, 'mo@example.org')
  const verified_at = new Date()
  for (const { email } of [visitor, merchant]) await change(email, { verified_at })
  await change(staff.email, { role: 'admin', verified_at })
  // logged in before the second factor is set up, as it would be needed for the login
  const { authToken: staffToken } = await logIn(app, '/api/auth/login', staff.email)
  await change(staff.email, { totp_secret: Buffer.from('set') })
  await app.db.updateTable('businesses').set({ subscription_tier: 'ULTIMATE' }).execute()

  const deal_id = await addDeal(app.db, merchant.businessId, 'Coffee and cake')
  const soon = (minutes: number) => Temporal.Now.instant().add({ minutes }).toString()
  const event_id = await addEvent(app.db, 'Glasshouse', soon(60))
  const later = await addEvent(app.db, 'Night Tram', soon(180))

  const token = visitor.authToken
  const made = async (path: string, body?: unknown, { method = 'POST', by = token } = {}) => {
    const answer = await post(app, path, body, { token: by, method })
    expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const { entry } = await made('/api/schedule', { event_id })
  await made('/api/schedule', { event_id: later })
  const { feed_url } = await made('/api/schedule/feed/rotate')
  const { share_url } = await made('/api/schedule/share')
  await made(`/api/favorites/deal/${deal_id}`, undefined, { method: 'PUT' })
  const { topic, post: first } = await made('/api/forum/topics', {
    category: 'help',
    title: 'Where is the queue shortest?',
    body: 'At the Mittlere Brücke I waited for half an hour.',
  })
  const pin = '4711'
  const till = await made(
    `/api/business/${merchant.businessId}/devices`,
    { name: 'Bar', pin },
    { by: merchant.authToken },
  )
  const { device_id, device_secret } = till
  const { till_token } = await made('/api/till/unlock', { device_id, device_secret, pin })
  const [session] = (await get(app, '/api/me/sessions', token)).body
  return {
    tokens: { visitor: token, merchant: merchant.authToken, staff: staffToken },
    ids: {
      business_id: merchant.businessId,
      deal_id,
      event_id,
      later_event_id: later,
      topic_id: topic.topic_id,
      post_id: first.post_id,
      handle: first.author.handle,
      session_id: session.session_id,
      entry_id: entry.entry_id,
      feed_token: /([\w-]+)\.ics/.exec(feed_url)![1]!,
      device_id,
      device_secret,
      till_token,
      shared_token: share_url.split('/').at(-1)!,
    },
  }
}

/** Kind of person who may call an endpoint; null: a guest. */
export function askerOf({ access }: AnyEndpoint): Kind | null {
  if (typeof access === 'string') return null
  return access.roles.includes('business') ? 'merchant' : access.roles.includes('user') ? 'visitor' : 'staff'
}

/** The path of an operation, with ids of the town. */
export function addressOf({ path }: AnyEndpoint, { ids }: WholeTown): string {
  const token = path.includes('/shared/') ? ids['shared_token'] : ids['feed_token']
  return path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'token' ? token : ids[name]) ?? 'none')
}

/** True for the expected status of a read: the town has no invoice, no open payment, and no redemption. */
export const isAnswered = (status: number, path: string): boolean =>
  status === (/\/none\b/.test(path) ? 404 : path.includes('/what-if') ? 409 : 200)

export interface ReadCase {
  path: string
  token: string | null
}

/** Paths of all contracts that only read, with a person who may call them. Streams are left out, as they do not end. */
export function allReads(operations: readonly Operation[], town: WholeTown): ReadCase[] {
  const { deal_id, business_id, event_id, later_event_id } = town.ids
  const around = 'bbox=7.5,47.5,7.7,47.6'
  const queries: Record<string, string[]> = {
    '/api/deals/search': [
      '?limit=5',
      '?q=cofee',
      '?lat=47.56&lon=7.59&radius=5&sort=soonest',
      `?view=map&${around}`,
      `?view=map&compact=true&${around}`,
    ],
    '/api/deals/{deal_id}/what-if': ['?price=12'],
    '/api/business/search': ['?q=rhein'],
    '/api/events': ['?limit=5', '?q=glasshouse'],
    '/api/favorites/preview': [`?keys=deal:${deal_id},business:${business_id}`],
    '/api/forum/search': ['?q=queue'],
    '/api/places': ['?q=bridge'],
    '/api/schedule/gap': [`?from_event=${event_id}&to_event=${later_event_id}`],
  }
  return operations
    .map(({ endpoint }) => endpoint)
    .filter((endpoint) => !changesSomething(endpoint) && !endpoint.stream)
    .flatMap((endpoint) => {
      const kind = askerOf(endpoint)
      const token = kind && town.tokens[kind]
      return (queries[endpoint.path] ?? ['']).map((query) => ({ path: addressOf(endpoint, town) + query, token }))
    })
}

/** Pages for guests, and feeds and maps. */
export function pagesToRead({ ids }: WholeTown): ReadCase[] {
  const { deal_id, business_id, event_id, topic_id, handle, shared_token } = ids
  return [
    '/',
    '/deals',
    '/deals?q=coffee',
    `/deal/${deal_id}`,
    '/dealsmap',
    '/business',
    `/business/${business_id}`,
    '/events',
    `/event/${event_id}`,
    '/forum',
    '/forum/help',
    '/forum/search?q=queue',
    `/forum/members/${handle}`,
    `/topic/${topic_id}`,
    `/shared/${shared_token}`,
    '/contact',
    '/sitemap.xml',
    `/og/deal/${deal_id}.png`,
    `/og/event/${event_id}.png`,
    `/og/business/${business_id}.png`,
  ].map((path) => ({ path, token: null }))
}
