import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aMerchant,
  aVisitor,
  goodPassword,
  mailsTo,
  mailTo,
  post,
  signUpBusiness,
  tokenIn,
  visitorForm,
} from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function mailsHaveLeft(): Promise<void> {
  const left = () => app.db.selectFrom('outgoing_mails').select('mail_id').execute()
  await expect.poll(async () => (await app.runJobs(), (await left()).length), { interval: 50 }).toBe(0)
}

/** Everything that strangers can do with an address, more often than any limit allows. */
async function strangersWriteTo(email: string): Promise<void> {
  for (let n = 0; n < 7; n++) {
    expect((await post(app, '/api/newsletter', { email })).status).toBe(202)
    expect((await post(app, '/api/auth/signup', visitorForm(email, { password: 'of a stranger' }))).status).toBe(201)
    expect((await signUpBusiness(app, { email, password: 'of a stranger' })).status).toBe(201)
  }
  await mailsHaveLeft()
}

describe('what strangers ask for in the name of an address', () => {
  it('leaves its owner the mail that resets the password', async () => {
    const { email } = await aVisitor(app, 'reset@example.org')
    await strangersWriteTo(email)
    await post(app, '/api/auth/forgot', { email, kind: 'user' })
    const token = tokenIn(await mailTo(app, email, 'Set a new password'))
    expect((await post(app, '/api/auth/reset', { token, password: 'mine and nobody else’s' })).status).toBe(200)
  })
  it('leaves its owner every mail that confirms the address', async () => {
    const { email, authToken } = await aVisitor(app, 'confirm@example.org')
    await strangersWriteTo(email)
    for (let n = 0; n < 7; n++) await post(app, '/api/auth/forgot', { email })
    for (let n = 0; n < 4; n++)
      expect((await post(app, '/api/auth/verify/resend', undefined, { token: authToken })).status).toBe(202)
    await mailTo(app, email, 'confirm your email', 5)
  })
  it('leaves its owner the mail that changes an account to it, however often one stranger asks for the same', async () => {
    const owner = await aMerchant(app, 'before@example.org')
    const stranger = await aMerchant(app, 'stranger@example.org')
    const email = 'wanted@example.org'
    const change = (token: string) => post(app, '/api/me/email', { email, password: goodPassword }, { token })
    for (let n = 0; n < 10; n++) expect((await change(stranger.authToken)).status).toBe(202)
    for (let n = 0; n < 7; n++) await post(app, '/api/newsletter', { email })
    await mailsHaveLeft()
    const before = (await mailsTo(app, email)).length
    expect((await change(owner.authToken)).status).toBe(202)
    await mailsHaveLeft()
    const mails = await mailsTo(app, email)
    expect(mails).toHaveLength(before + 1)
    expect((await post(app, '/api/auth/verify', { token: tokenIn(mails.at(-1)!) })).status).toBe(200)
  })
  it('ends at five mails of each purpose within half an hour', async () => {
    const email = 'bombed@example.org'
    await strangersWriteTo(email)
    for (let n = 0; n < 7; n++) await post(app, '/api/auth/forgot', { email })
    await mailsHaveLeft()
    const mails = await mailsTo(app, email)
    const count = (subject: string) => mails.filter((mail) => mail.subject.includes(subject)).length
    // For each kind of account: the first signup asks to confirm, four say that there is an account, five have reset links. A newer
    // reset link replaces one whose mail is still queued.
    expect([count('confirm your email'), count('Confirm your newsletter subscription')]).toEqual([2, 5])
    expect(count('already have an account')).toBeLessThanOrEqual(8)
    expect(count('Set a new password')).toBeLessThanOrEqual(10)
    expect(mails.length).toBeGreaterThan(8)
  })
})
