import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { fairTurns } from '../src/kit/server/fair-turns.ts'
import { goodPassword } from './good-password.ts'
import { api, type TestApp } from './start-app.ts'

export { goodPassword }

export interface Person {
  email: string
  password: string
  authToken: string
  refreshToken: string
  userType: string
  businessId?: string
}

/** A call with a JSON body, like that of a screen. */
export function post(app: { url: string }, path: string, body?: unknown, init: RequestInit & { token?: string } = {}) {
  const { token, headers, ...rest } = init
  return api(app, path, {
    method: 'POST',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(headers as Record<string, string> | undefined),
    },
    ...rest,
  })
}

/** A GET, or another call without a body. */
export function get(app: { url: string }, path: string, token?: string, init: RequestInit = {}) {
  return api(app, path, { ...init, headers: token ? { authorization: `Bearer ${token}` } : {} })
}

/** Reads a list page by page to its end; `meanwhile` runs after the first page. */
export async function everyPage<Row>(
  app: { url: string },
  path: string,
  token: string,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Row[]> {
  const found: Row[] = []
  let next: string | null = path
  for (let pages = 0; next; pages++) {
    const answer: Awaited<ReturnType<typeof get>> = await get(app, next, token)
    expect(answer.status, answer.text).toBe(200)
    found.push(...(answer.body as Row[]))
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    if (pages === 0) await meanwhile()
  }
  return found
}

export const visitorForm = (email: string, more: Record<string, unknown> = {}) => ({
  display_name: 'Lena',
  email,
  password: goodPassword,
  accepts_terms: true,
  ...more,
})

/**
 * Calls `one` `size` times, at most 16 at once: more than an instance has writing connections, but few enough that no call waits 1.5 s for
 * one on a busy machine, which would give 503.
 */
export function crowd<Answer>(size: number, one: (n: number) => Promise<Answer>): Promise<Answer[]> {
  const gate = fairTurns({ name: 'crowd', slots: 16, perAddress: size, most: size, patienceMs: 600_000 })
  return Promise.all(Array.from({ length: size }, (_, n) => gate(() => one(n))))
}

/** Signs a visitor up and logs in. */
export async function aVisitor(app: { url: string }, email = 'lena@example.org'): Promise<Person> {
  const { status } = await post(app, '/api/auth/signup', visitorForm(email))
  expect(status).toBe(201)
  return logIn(app, '/api/auth/login', email)
}

/** Signs a merchant up by the specified form and logs in. */
export async function aMerchant(
  app: { url: string },
  email = 'cafe@example.org',
  more: Record<string, string | Blob> = {},
): Promise<Person & { businessId: string }> {
  const { status } = await signUpBusiness(app, { email, ...more })
  expect(status).toBe(201)
  return (await logIn(app, '/api/business/login', email)) as Person & { businessId: string }
}

export function signUpBusiness(app: { url: string }, fields: Record<string, string | Blob>, init: RequestInit = {}) {
  const form = new FormData()
  const all = { business_name: 'Café Rhein', email: 'cafe@example.org', password: goodPassword, ...fields }
  for (const [name, value] of Object.entries(all)) form.set(name, value)
  return api(app, '/api/business/signup', { method: 'POST', body: form, ...init })
}

export async function logIn(
  app: { url: string },
  path: string,
  email: string,
  password = goodPassword,
): Promise<Person> {
  const { status, body } = await post(app, path, { email, password })
  expect(status, JSON.stringify(body)).toBe(200)
  return { email, password, ...body }
}

/** Waits for a mail to the address with a matching subject. */
export async function mailTo(app: TestApp, email: string, subject: RegExp | string = /./, count = 1) {
  return vi.waitFor(
    async () => {
      await app.runJobs()
      const found = (await mailsTo(app, email)).filter((mail) => new RegExp(subject).test(mail.subject))
      expect(found.length, `mails to ${email} about ${subject}`).toBeGreaterThanOrEqual(count)
      return found.at(-1)!
    },
    { timeout: 90_000, interval: 100 },
  )
}

/** All mails to the address so far, the oldest first. */
export async function mailsTo(app: TestApp, email: string) {
  const folder = join(app.dataDir, 'mail')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml.json'))
  const mails = await Promise.all(
    names.map(
      async (name) =>
        JSON.parse(await readFile(join(folder, name), 'utf8')) as {
          to: string
          subject: string
          text: string
          at: string
          headers: Record<string, string>
        },
    ),
  )
  return mails.filter((mail) => mail.to === email).sort((a, b) => a.at.localeCompare(b.at))
}

/** The token of the link in a mail. */
export function tokenIn(mail: { text: string }): string {
  return decodeURIComponent(/[?&]token=([\w%.-]+)/.exec(mail.text)![1]!)
}
