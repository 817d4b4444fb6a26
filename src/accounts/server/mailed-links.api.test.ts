import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aVisitor, get, mailsTo, mailTo, post, tokenIn, visitorForm } from '../../../test/people.ts'
import { besideTheApp, waitingForLocks } from '../../../test/locks.ts'
import { anotherInstance, appForTest } from '../../../test/start-app.ts'

it('links of one account that are opened at the same moment do not deadlock', async () => {
  const app = await appForTest({ now: null })
  const email = 'both@example.org'
  const { authToken } = await aVisitor(app, email)
  await mailTo(app, email, 'confirm your email')
  expect((await post(app, '/api/auth/verify/resend', undefined, { token: authToken })).status).toBe(202)
  await mailTo(app, email, 'confirm your email', 2)
  await post(app, '/api/auth/forgot', { email })
  const reset = tokenIn(await mailTo(app, email, 'Set a new password'))
  const [first, second] = (await mailsTo(app, email))
    .filter(({ subject }) => /confirm your email/.test(subject))
    .map(tokenIn)
  const opened: Promise<{ status: number }>[] = []
  await besideTheApp(app, async (trx) => {
    await sql`select 1 from accounts where email = ${email} for update`.execute(trx)
    opened.push(post(app, '/api/auth/verify', { token: first }))
    await waitingForLocks(app, 1)
    opened.push(post(app, '/api/auth/verify', { token: second }))
    await waitingForLocks(app, 2)
    opened.push(post(app, '/api/auth/reset', { token: reset, password: 'a walk up to the Wettstein bridge' }))
    await waitingForLocks(app, 3)
  })
  // The first link confirms and deletes the second.
  expect((await Promise.all(opened)).map(({ status }) => status)).toEqual([200, 400, 200])
})

it('a newsletter that is confirmed and ended at the same moment ends without a deadlock', async () => {
  const app = await appForTest({ now: null })
  const email = 'reader@example.org'
  expect((await post(app, '/api/newsletter', { email })).status).toBe(202)
  const mail = await mailTo(app, email)
  const subscriber = /subscriber=([\w%.-]+)/.exec(mail.headers['List-Unsubscribe']!)![1]!
  const opened: Promise<{ status: number }>[] = []
  await besideTheApp(app, async (trx) => {
    await sql`select 1 from newsletter_subscribers where email = ${email} for update`.execute(trx)
    opened.push(post(app, '/api/newsletter/confirm', { token: tokenIn(mail) }))
    opened.push(get(app, `/api/newsletter/unsubscribe?subscriber=${subscriber}`, undefined, { method: 'POST' }))
    await waitingForLocks(app, opened.length)
  })
  const [confirmed, ended] = (await Promise.all(opened)).map(({ status }) => status)
  expect([204, 400]).toContain(confirmed)
  expect(ended).toBe(204)
})

it('of several reset links only the newest works, also one from a signup with a taken address', async () => {
  const app = await appForTest({ now: null })
  const email = 'forgetful@example.org'
  await aVisitor(app, email)
  const links: string[] = []
  const open = (token: string | undefined) => post(app, '/api/auth/reset', { token, password: 'a walk to Riehen' })
  for (const count of [1, 2]) {
    await post(app, '/api/auth/forgot', { email })
    links.push(tokenIn(await mailTo(app, email, 'Set a new password', count)))
  }
  await post(app, '/api/auth/signup', visitorForm(email))
  links.push(tokenIn(await mailTo(app, email, 'already have an account')))
  for (const old of links.slice(0, -1))
    expect(await open(old)).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
  expect((await open(links.at(-1))).status).toBe(200)
})

it('of reset links created at the same moment one works', async () => {
  const app = await appForTest({ now: null })
  const email = 'hurried@example.org'
  await aVisitor(app, email)
  const account = (await app.db.selectFrom('accounts').select('account_id').executeTakeFirst())!
  // An instance of this test runs its jobs one after the other, so two instances run the two jobs.
  await anotherInstance(app)
  await besideTheApp(app, async (trx) => {
    await sql`select 1 from accounts where email = ${email} for update`.execute(trx)
    for (const waiting of [1, 2]) {
      await post(app, '/api/auth/forgot', { email })
      await waitingForLocks(app, waiting)
    }
  })
  const left = () => app.db.selectFrom('outgoing_mails').select('mail_id').execute()
  await expect.poll(async () => (await app.runJobs(), (await left()).length)).toBe(0)
  const links = await app.db
    .selectFrom('mailed_links')
    .select('link_id')
    .where('account_id', '=', account.account_id)
    .where('purpose', '=', 'reset')
    .execute()
  expect(links).toHaveLength(1)
})
