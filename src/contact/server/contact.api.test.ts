import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { anotherInstance, api, appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { messagesPerHour } from '../contract.ts'
import { deleteOldMessages } from './contact.ts'

const lena = {
  name: 'Lena Muster',
  email: 'lena@example.org',
  topic: 'visitor',
  message: 'Where do I find the lost and found?',
}

const send = (app: TestApp, body: unknown, init: RequestInit = {}) =>
  api(app, '/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  })

let shared: TestApp
beforeAll(async () => {
  shared = await startTestApp()
})
afterAll(() => shared.close())

describe('a message to the organisers', () => {
  it('is stored, gets a ticket number and reaches the operator by mail, once', async () => {
    const app = await appForTest({ env: { MAIL_FROM: 'Rheinklang <crew@example.org>' }, now: null })
    const { status, body } = await send(app, { ...lena, name: 'Lena "Rhein", postmaster@intern; Müller 🎷' })
    expect(status).toBe(201)
    expect(body.ticket).toMatch(/^RK-[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    const folder = join(app.dataDir, 'mail')
    const files = await vi.waitFor(async () => {
      const names = (await readdir(folder)).filter((name) => /^[^.].*\.eml$/.test(name))
      expect(names).toHaveLength(1)
      return names
    }, 90_000)
    const mail = await PostalMime.parse(await readFile(join(folder, files[0]!)))
    expect(mail.subject).toContain(body.ticket)
    expect(mail.subject).toContain('Müller 🎷')
    expect(mail.text).toContain(lena.message)
    expect(mail.to?.[0]?.address).toBe('crew@example.org')
    expect(mail.replyTo?.map(({ address }) => address)).toEqual(['lena@example.org'])
    await vi.waitFor(async () => {
      const row = await app.db.selectFrom('contact_messages').selectAll().executeTakeFirstOrThrow()
      expect(row).toMatchObject({ ticket: body.ticket, email: 'lena@example.org', topic: 'visitor' })
      expect(row.mailed_at).not.toBeNull()
    }, 90_000)
  })
  it.each([
    [{ ...lena, name: '' }, 'name', 'Please fill this in.'],
    [{ ...lena, name: '   ' }, 'name', 'Please fill this in.'],
    [{ ...lena, name: 'Lena\r\nBcc: everybody@example.org' }, 'name', 'Please use a single line.'],
    [{ ...lena, name: 'x'.repeat(81) }, 'name', 'At most 80 characters, please.'],
    [{ ...lena, email: 'nobody' }, 'email', 'Please enter an email address such as name@example.ch.'],
    [{ ...lena, email: 'a@b.ch\r\nBcc: x@y.ch' }, 'email', 'Please enter an email address such as name@example.ch.'],
    [{ ...lena, message: 'short' }, 'message', 'At least 10 characters, please.'],
    [{ ...lena, message: 'x'.repeat(4001) }, 'message', 'At most 4,000 characters, please.'],
    [{ ...lena, message: 'a NUL \0 in the middle' }, 'message', 'This text contains characters that cannot be saved.'],
    [
      { ...lena, message: 'a lone surrogate \ud83c here' },
      'message',
      'This text contains characters that cannot be saved.',
    ],
    [{ ...lena, topic: 'spam' }, 'topic', 'Please choose one of: visitor, merchant, press, privacy, other.'],
    [{ ...lena, message: 42 }, 'message', 'Please enter text.'],
    [{}, 'email', 'Please fill this in.'],
  ])('with %j is refused beside the field %s', async (body, field, text) => {
    const app = shared
    const answer = await send(app, body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(answer.body.fields[field]).toBe(text)
  })
  it.each([['[]'], ['null'], ['"text"'], ['12'], ['{"a":'], ['']])('with the body %s is a 400', async (body) => {
    const app = shared
    expect((await send(app, body)).status).toBe(400)
  })
  it('that is no JSON gets a 415, one over 256 kB a 413', async () => {
    const app = shared
    expect((await send(app, '<a/>', { headers: { 'content-type': 'text/xml' } })).status).toBe(415)
    expect((await send(app, { ...lena, message: 'x'.repeat(300_000) })).status).toBe(413)
    expect((await send(app, `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)).status).toBe(400)
  })
  it('that is not valid UTF-8 gets a 400: stored, its text would be changed', async () => {
    const body = Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('","email":"a@b.ch","message":"0123456789"}'),
    ])
    const { status } = await api(shared, '/api/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(status).toBe(400)
  })
  it('ignores fields that nobody asked for', async () => {
    const app = shared
    const { status, body } = await send(app, { ...lena, ticket: 'RK-AAAA-AAAA', mailed_at: 'now', __proto__: { x: 1 } })
    expect(status).toBe(201)
    expect(body).toEqual({ ticket: expect.not.stringContaining('AAAA-AAAA') })
  })
  it('is refused for a while after twenty from one address in an hour, and says how long', async () => {
    const app = await appForTest()
    for (let n = 0; n < messagesPerHour; n++) expect((await send(app, lena)).status).toBe(201)
    const { status, body, headers } = await send(app, lena)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(body.code).toBe('too_many_requests')
  })
  it.each([
    ['the addresses of one IPv6 line', (n: number) => `2001:db8:1:2::${n.toString(16)}`],
    ['an IPv4 address in its two ways of writing', (n: number) => (n % 2 ? '198.51.100.8' : '::ffff:198.51.100.8')],
  ])('counts %s as one', async (_, address) => {
    const app = await appForTest({ env: { TRUST_PROXY: 'on' } })
    const from = (ip: string) => ({ 'content-type': 'application/json', 'x-forwarded-for': ip })
    const statuses: number[] = []
    for (let n = 0; n < messagesPerHour + 5; n++)
      statuses.push((await send(app, lena, { headers: from(address(n)) })).status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(messagesPerHour)
    expect((await send(app, lena, { headers: from('2001:db8:1:3::1') })).status).toBe(201)
  })
  it('is counted by the address that our own proxy saw, whatever the client wrote into X-Forwarded-For', async () => {
    const app = await appForTest({ env: { TRUST_PROXY: 'on' } })
    const from = (seen: string) => ({ 'content-type': 'application/json', 'x-forwarded-for': seen })
    for (let n = 0; n < messagesPerHour; n++)
      expect((await send(app, lena, { headers: from(`198.51.100.${n}, 203.0.113.5`) })).status).toBe(201)
    expect((await send(app, lena, { headers: from('198.51.100.99, 203.0.113.5') })).status).toBe(429)
    expect((await send(app, lena, { headers: from('203.0.113.5, 203.0.113.6') })).status).toBe(201)
    // An X-Forwarded-For that cannot be read must not cause an error.
    expect((await send(app, lena, { headers: from('x'.repeat(3000)) })).status).toBe(201)
  })
  it('is counted by the address that the first of two proxies saw', async () => {
    const app = await appForTest({ env: { TRUST_PROXY: '2' } })
    const from = (seen: string) => ({ 'content-type': 'application/json', 'x-forwarded-for': seen })
    for (let n = 0; n < messagesPerHour; n++)
      expect((await send(app, lena, { headers: from(`made up, 203.0.113.5, 192.0.2.${n}`) })).status).toBe(201)
    expect((await send(app, lena, { headers: from('203.0.113.5, 192.0.2.1') })).status).toBe(429)
    expect((await send(app, lena, { headers: from('203.0.113.6, 192.0.2.1') })).status).toBe(201)
  })
})

describe('a message that is sent again with its key', () => {
  const key = '3f8a1c0d9b7e4a65'
  const again = { ...lena, idempotency_key: key }
  const rows = (app: TestApp) => app.db.selectFrom('contact_messages').select('ticket').execute()

  it('gets the ticket of the first time, is stored once and mailed once', async () => {
    const app = await appForTest({ now: null })
    const first = await send(app, again)
    expect(await send(app, again)).toMatchObject({ status: 201, body: first.body })
    expect(await rows(app)).toEqual([first.body])
    const { rows: jobs } = await sql`select from jobs.job where name = 'contact-mail'`.execute(app.db)
    expect(jobs).toHaveLength(1)
  })
  it('at the same moment, to two instances, is one message', async () => {
    const app = await appForTest({ now: null })
    const other = await anotherInstance(app)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => send(n % 2 ? { ...app, url: other.url } : app, again)),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.ticket}`)).size).toBe(1)
    expect(await rows(app)).toHaveLength(1)
  })
  it('is another message when anything in it was changed', async () => {
    const app = await appForTest()
    const sent = [again, { ...again, message: `${lena.message} Thank you.` }, { ...again, email: 'other@example.org' }]
    const tickets = []
    for (const body of sent) tickets.push((await send(app, body)).body.ticket)
    expect(new Set(tickets).size).toBe(3)
    // Each version keeps its own ticket for its retries.
    for (const [n, body] of sent.entries()) expect((await send(app, body)).body.ticket).toBe(tickets[n])
  })
  it('is another message after a day', async () => {
    const app = await appForTest()
    const { ticket } = (await send(app, again)).body
    app.setNow('2026-06-21T17:29:59Z')
    expect((await send(app, again)).body.ticket).toBe(ticket)
    app.setNow('2026-06-21T17:30:01Z')
    const later = (await send(app, again)).body.ticket
    expect(later).not.toBe(ticket)
    expect((await send(app, again)).body.ticket).toBe(later)
  })
  it('without a key is another message each time, and a key that is easily guessed is refused', async () => {
    const app = await appForTest()
    const tickets = [await send(app, lena), await send(app, { ...lena, idempotency_key: '' })]
    expect(new Set(tickets.map(({ body }) => body.ticket)).size).toBe(2)
    const short = await send(app, { ...lena, idempotency_key: '1' })
    expect(short).toMatchObject({ status: 400, body: { fields: { idempotency_key: expect.any(String) } } })
  })
})

it('a message is deleted after a year', async () => {
  const app = await appForTest()
  await send(app, lena)
  const room = { db: app.db, clock: { now: () => Temporal.Instant.from('2027-06-20T17:00:00Z') }, complain() {} }
  await deleteOldMessages(room)
  expect(await app.db.selectFrom('contact_messages').select('ticket').execute()).toHaveLength(1)
  room.clock.now = () => Temporal.Instant.from('2027-06-20T18:00:00Z')
  await deleteOldMessages(room)
  expect(await app.db.selectFrom('contact_messages').select('ticket').execute()).toHaveLength(0)
})

it('is counted by address, and the address itself is written nowhere', async () => {
  const app = await appForTest()
  expect((await send(app, lena)).status).toBe(201)
  const { rows } = await sql<{ key: string }>`select key from rate_limits`.execute(app.db)
  expect(rows).toHaveLength(1)
  expect(rows[0]!.key).toMatch(/^contact:[\w-]{22}$/)
})
