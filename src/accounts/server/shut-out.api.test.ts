import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aVisitor, get, goodPassword, logIn, mailTo, post, tokenIn } from '../../../test/people.ts'
import { besideTheApp, waitingForLocks } from '../../../test/locks.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'

/** Somebody else knows the password, and uses it at the moment in which the owner changes it. */

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const taken = 'another walk along the Birs'
let tries = 0

async function resetToken(email: string): Promise<string> {
  expect((await post(app, '/api/auth/forgot', { email })).status).toBe(202)
  return tokenIn(await mailTo(app, email, /password/i))
}

describe('a new password by a reset link', () => {
  it('shuts out every login with the old password, also those under way', async () => {
    const email = 'shut-out@example.org'
    await aVisitor(app, email)
    const token = await resetToken(email)
    let over = false
    const got: string[] = []
    const stranger = async () => {
      while (!over) {
        const { status, body } = await post(app, '/api/auth/login', { email, password: goodPassword })
        if (status === 200) got.push(body.authToken)
        else expect(status).toBe(401)
      }
    }
    const strangers = Array.from({ length: 6 }, stranger)
    await expect.poll(() => got.length).toBeGreaterThan(0)
    const reset = await post(app, '/api/auth/reset', { token, password: taken })
    over = true
    await Promise.all(strangers)
    expect(reset.status).toBe(200)
    const alive = await Promise.all(got.map((authToken) => get(app, '/api/me', authToken)))
    expect(alive.map(({ status }) => status)).toEqual(got.map(() => 401))
    await logIn(app, '/api/auth/login', email, taken)
  })
  type Change = (email: string, asStranger: { token: string }) => Promise<{ status: number }>
  const changes: Record<string, [Change, number][]> = {
    'changing the password, the address or the second factor': [
      [
        (_, by) => post(app, '/api/me/password', { password: goodPassword, new_password: 'mine now and for ever' }, by),
        403,
      ],
      [(_, by) => post(app, '/api/me/email', { password: goodPassword, email: 'stranger@example.org' }, by), 403],
      [(_, by) => post(app, '/api/me/2fa/setup', { password: goodPassword }, by), 403],
    ],
    'deleting the account or logging in': [
      [(_, by) => post(app, '/api/me', { password: goodPassword }, { ...by, method: 'DELETE' }), 403],
      [(email) => post(app, '/api/auth/login', { email, password: goodPassword }), 401],
    ],
  }
  it.each(Object.keys(changes))('stands against what was begun with the old one: %s', async (kind) => {
    const email = `stands${tries++}@example.org`
    const stranger = await aVisitor(app, email)
    const token = await resetToken(email)
    const asStranger = { token: stranger.authToken }
    const begun: Promise<{ status: number }>[] = []
    await besideTheApp(app, async (trx) => {
      // All logins wait for the account, which is locked here, and then go on in their order.
      await sql`select 1 from accounts where email = ${email} for update`.execute(trx)
      begun.push(post(app, '/api/auth/reset', { token, password: taken }))
      await waitingForLocks(app, 1)
      begun.push(...changes[kind]!.map(([change]) => change(email, asStranger)))
      await waitingForLocks(app, begun.length)
    })
    expect((await Promise.all(begun)).map(({ status }) => status)).toEqual([
      200,
      ...changes[kind]!.map(([, status]) => status),
    ])
    const owner = await logIn(app, '/api/auth/login', email, taken)
    expect((await get(app, '/api/me', owner.authToken)).body).toMatchObject({ pending_email: null, deletion_at: null })
    // The session that the link started, and this one.
    expect((await get(app, '/api/me/sessions', owner.authToken)).body).toHaveLength(2)
  })
})
