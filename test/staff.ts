import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { addStaff } from '../src/accounts/server/accounts.ts'
import { goodPassword, logIn, post } from './people.ts'
import { keyringFor, withJobs } from './rooms.ts'
import type { TestApp } from './start-app.ts'

/** Creates a moderator by the command and its link, sets up a second factor, and logs in. Returns the token. */
export async function aModerator(app: TestApp, email = 'moderator@example.org'): Promise<string> {
  const keys = await keyringFor(app)
  const { token } = await withJobs(app, (jobs) =>
    addStaff(
      { db: app.db, clock: app, ...keys, jobs, log: { note() {} } },
      { email, role: 'moderator', name: 'Mo', language: 'en', origin: app.url },
    ),
  )
  expect((await post(app, '/api/auth/reset', { token, password: goodPassword })).status).toBe(200)
  const { authToken } = await logIn(app, '/api/auth/login', email)
  await switchOnSecondFactor(app, authToken)
  return authToken
}

/** Sets up a second factor for the account of the token, which has the usual password. */
export async function switchOnSecondFactor(app: TestApp, token: string): Promise<void> {
  const setup = await post(app, '/api/me/2fa/setup', { password: goodPassword }, { token })
  const code = new TOTP({ secret: Secret.fromBase32(setup.body.secret) }).generate({
    timestamp: app.now().epochMilliseconds,
  })
  expect((await post(app, '/api/me/2fa/enable', { totp: code }, { token })).status).toBe(200)
}

/** Undoes an audit entry like its screen: asks for the number of changes, then confirms that number. */
export async function undoConfirmed(app: TestApp, token: string, entryId: string) {
  const path = `/api/admin/log/${entryId}/undo`
  const dry = await post(app, path, { dry_run: true }, { token })
  if (dry.status !== 200) return dry
  const { hidden, shown, changed } = dry.body.reach as Record<string, number>
  return post(app, path, { confirmed: hidden! + shown! + changed! }, { token })
}

/** Suspends a business like its dialog: asks for the number of changes, then confirms that number. */
export async function suspendConfirmed(
  app: TestApp,
  token: string,
  body: { business_id: string; reason: string },
  key?: string,
) {
  const path = '/api/admin/suspensions'
  const headers = key === undefined ? {} : { headers: { 'idempotency-key': key } }
  const dry = await post(app, path, { ...body, dry_run: true }, { token })
  return post(app, path, { ...body, confirmed: dry.body.reach?.hidden ?? 0 }, { token, ...headers })
}
