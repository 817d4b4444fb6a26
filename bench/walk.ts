import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

interface Answer {
  status: number
  // what it holds is looked at by who asked
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

interface Document {
  paths: Record<string, Record<string, unknown>>
}

const password = 'lanterns over the river'
/** Who hears "in a moment" (503) from a busy machine comes again, as browsers do, so often. */
const patience = 5
const pauseMs = 2_000
/** Has what most endpoints ask for; each ignores the rest, or says that it is invalid. */
const anyBody = {
  name: 'Lena',
  message: 'Where is the lost and found?',
  language: 'en',
  text: 'Lanterns on the river tonight',
  body: 'Lanterns on the river tonight',
  title: 'Lanterns on the river',
  reason: 'spam',
  token: 'x'.repeat(43),
  code: '12345678',
  days: 1,
  stars: 4,
}

/**
 * A visitor and a merchant do what people do, then every operation of the OpenAPI document is asked with what there is, by
 * guest, visitor and merchant. An account of staff is not among them.
 * @returns how much was asked, and what answered 5xx, broke off, or failed of what people do
 */
export async function walk(base: string): Promise<{ asked: number; broken: string[] }> {
  const broken: string[] = []
  let asked = 0
  // one address may do so much; behind a proxy each of these people has one
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    token?: string,
    address = '10.200.0.1',
    again = patience,
  ): Promise<Answer> => {
    if (again === patience) asked++
    try {
      const isForm = body instanceof FormData
      const answer = await fetch(base + path, {
        method,
        redirect: 'manual',
        signal: path.startsWith('/api/stream') ? AbortSignal.timeout(1000) : AbortSignal.timeout(20_000),
        headers: {
          'x-forwarded-for': address,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      })
      if (answer.status === 503 && again > 0) {
        await answer.arrayBuffer()
        await sleep(pauseMs)
        return ask(method, path, body, token, address, again - 1)
      }
      if (answer.status >= 500) broken.push(`${method} ${path} ${answer.status}`)
      if (path.startsWith('/api/stream')) return { status: answer.status, body: null }
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.includes('json') && text
      return { status: answer.status, body: isJson ? (JSON.parse(text) as Answer['body']) : null }
    } catch (error) {
      if (!path.startsWith('/api/stream')) broken.push(`${method} ${path} ${String(error)}`)
      return { status: 0, body: null }
    }
  }
  /** What must work. */
  const does = async (...[method, path, body, token]: Parameters<typeof ask>) => {
    const answer = await ask(method, path, body, token)
    if (answer.status < 200 || answer.status > 399)
      broken.push(`${method} ${path} ${answer.status} ${answer.body?.code ?? ''}`)
    return answer.body
  }

  const stamp = Date.now().toString(36)
  const visitor = { email: `lena-${stamp}@example.org`, password }
  await does('POST', '/api/auth/signup', { display_name: 'Lena', accepts_terms: true, ...visitor })
  const lena = (await does('POST', '/api/auth/login', visitor))?.authToken as string
  const owner = { email: `bar-${stamp}@example.org`, password }
  const form = new FormData()
  for (const [key, value] of Object.entries({ business_name: `Bar ${stamp}`, ...owner })) form.set(key, value)
  await does('POST', '/api/business/signup', form)
  const { authToken: merchant, businessId } = (await does('POST', '/api/business/login', owner)) ?? {}

  const deal = await does(
    'POST',
    '/api/deals',
    { deal_name: 'Coffee', price_chf: 4, redemption_mode: 'code' },
    merchant,
  )
  const own = deal?.deal_id as string
  await does('PUT', `/api/deals/${own}`, { description: 'With a view of the river' }, merchant)
  await does('POST', `/api/deals/${own}/pause`, undefined, merchant)
  await does('POST', `/api/deals/${own}/resume`, undefined, merchant)
  await does('PUT', `/api/business/${businessId}`, { description: 'By the river' }, merchant)
  const deals = (await does('GET', '/api/deals?limit=5')) as { deal_id: string; business_id: string }[]
  const events = (await does('GET', '/api/events?limit=5')) as { event_id: string }[]
  const one = deals[0]!
  await does('PUT', `/api/deals/${one.deal_id}/view`)
  await does('POST', '/api/impressions', { beacon_id: randomUUID(), deal_ids: deals.map(({ deal_id }) => deal_id) })
  await does('PUT', `/api/favorites/deal/${one.deal_id}`, undefined, lena)
  await does('POST', '/api/schedule', { event_id: events[0]!.event_id }, lena)
  const created = await does(
    'POST',
    '/api/forum/topics',
    { category: 'food-deals', title: `Lanterns ${stamp}`, body: 'Where do they start?', idempotency_key: randomUUID() },
    lena,
  )
  const topic = created?.topic?.topic_id as string
  const post = created?.post?.post_id as string
  const paths = [
    '/',
    '/deals',
    '/business',
    '/events',
    '/forum',
    `/deal/${one.deal_id}`,
    `/business/${one.business_id}`,
  ]
  for (const path of paths) await does('GET', path)

  const ids: Record<string, string> = {
    deal_id: own,
    business_id: businessId,
    event_id: events[0]!.event_id,
    topic_id: topic,
    post_id: post,
    kind: 'deal',
    id: one.deal_id,
    handle: 'lena',
  }
  const { paths: all } = (await (await fetch(`${base}/api/openapi.json`)).json()) as Document
  const operations = Object.entries(all).flatMap(([path, methods]) =>
    Object.keys(methods).map((m) => [path, m] as const),
  )
  let people = 1
  for (const token of [undefined, lena, merchant])
    for (const [path, method] of operations) {
      // what would end the walk
      if (/logout|\/me$|sessions|password|email/.test(path) && method !== 'get') continue
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? randomUUID())
      const body = ['post', 'put', 'patch'].includes(method) ? anyBody : undefined
      await ask(method.toUpperCase(), filled, body, token, `10.201.${people >> 8}.${people++ & 255}`)
    }
  return { asked, broken: [...new Set(broken)] }
}
