import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api, startTestApp, type TestApp } from './start-app.ts'
import { goodPassword } from './people.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ pages: true })
})
afterAll(() => app.close())

const textOf = async (address: string, cookie?: string) => {
  const { status, text } = await api(app, address, cookie === undefined ? {} : { headers: { cookie } })
  expect(status).toBe(200)
  return /<main.*<\/main>/s.exec(text)![0]
}
const cookieFor = (address: string) => `lang=en; happened=${encodeURIComponent(address)}`

/** Every address that reports a result, with its text. */
const results = [
  ['/signup?created=yes', 'Account created!'],
  ['/usersignup?created=yes', 'Account created!'],
  ['/contact?ticket=RK-7F3K-29QD', 'RK-7F3K-29QD'],
  ['/forgot-password?sent=yes&kind=user', 'The link is on its way'],
  ['/newsletter?sent=yes', 'Almost there: confirm your email'],
  ['/verify-email?done=user', 'Confirmed'],
  ['/verify-email?done=business-changed', 'From now on, log in with this address.'],
  ['/newsletter/confirm?done=yes', 'You are subscribed'],
  ['/newsletter/unsubscribe?done=yes', 'You are unsubscribed'],
  ['/userlogin?why=changed', 'Your password has been changed.'],
  ['/business-login?why=changed', 'Your password has been changed.'],
] as const

describe('an address that reports a result', () => {
  it.each(results)('%s reports it only in the browser in which it happened', async (address, text) => {
    expect(await textOf(address)).not.toContain(text)
    expect(await textOf(address, cookieFor(address))).toContain(text)
    // not in another browser, and not after another result
    expect(await textOf(address)).not.toContain(text)
    expect(await textOf(address, cookieFor('/newsletter?sent=all'))).not.toContain(text)
  })

  it.each([
    [
      '/usersignup',
      { display_name: 'Lena', email: 'lena@example.org', password: goodPassword, accepts_terms: 'on' },
      'Account created!',
    ],
    ['/newsletter', { email: 'reader@example.org' }, 'Almost there: confirm your email'],
  ])(
    '%s: its form without JavaScript leads to the result, with a cookie for ten minutes',
    async (path, fields, text) => {
      const sent = await api(app, path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
      expect(sent.status).toBe(303)
      const [cookie, ...attributes] = sent.headers.get('set-cookie')!.split('; ')
      expect(attributes).toEqual(['Path=/', 'Max-Age=600', 'SameSite=Lax'])
      expect(await textOf(sent.headers.get('location')!, cookie)).toContain(text)
    },
  )
})
