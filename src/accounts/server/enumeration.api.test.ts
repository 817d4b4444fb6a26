import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  logIn,
  sequences,
  signUp,
  type Sequence,
  type StrangersAnswer,
  type StrangersCall,
} from '../../../test/account-sequences.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
beforeAll(async () => {
  // Each kind of account must be confirmed, as with real mail.
  app = await startTestApp({ env: { REQUIRE_VERIFIED_EMAIL: 'on' } })
})
afterAll(() => app.close())

describe('answers do not reveal whether an address has an account', () => {
  it.each(sequences.map((sequence, n) => [sequence.title, sequence, n] as const))(
    'by %s: same statuses, headers, bodies and budgets',
    async (_, sequence, n) => {
      const known = await seenBy(sequence, `known-${n}@example.org`, true)
      const unknown = await seenBy(sequence, `fresh-${n}@example.org`, false)
      expect(known.answers).toEqual(unknown.answers)
      expect(known.budgets).toEqual(unknown.budgets)
    },
  )
})

/** What a stranger sees of the sequence, and what is left of every limit. */
async function seenBy(sequence: Sequence, address: string, isKnown: boolean) {
  if (isKnown) await call(signUp(sequence.hidden, address))
  const mine = sequence.own ?? sequence.elsewhere
  const at = sequence.own ? address : `own-${address}`
  if (mine) await call(signUp(mine, at))
  const token = mine && String((await call(logIn(mine, at))).body['authToken'])
  await mailsHaveLeft()
  await app.db.deleteFrom('rate_limits').execute()
  const answers: string[] = []
  await sequence.run(
    async (each) => {
      // Own limits show at the next call with the token, and queued requests may run only now.
      if (each.token) await mailsHaveLeft()
      const answer = await call(each)
      answers.push(`${each.path} ${alike(answer, address)}`)
      return answer
    },
    { address, token },
  )
  await mailsHaveLeft()
  const rows = await app.db.selectFrom('rate_limits').select(['key', 'points']).execute()
  const budgets = rows.map(({ key, points }) => `${key.split(':', 1)[0]} ${points}`).sort()
  return { answers, budgets }
}

async function call({
  path,
  method = 'POST',
  body,
  form,
  token,
}: StrangersCall): Promise<StrangersAnswer & { headers: Headers }> {
  const sent = form
    ? Object.entries(form).reduce((all, [name, value]) => (all.set(name, value), all), new FormData())
    : null
  return api(app, path, {
    method,
    redirect: 'manual',
    ...(body ? { body: JSON.stringify(body) } : sent ? { body: sent } : {}),
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
  })
}

/** An answer without what always differs: ids, tokens, instants, and the address itself. */
function alike({ status, headers, body }: StrangersAnswer & { headers: Headers }, address: string): string {
  const said = [...headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name))
  return JSON.stringify([status, said, body])
    .replaceAll(address, 'ADDRESS')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'INSTANT')
    .replace(/("retry-after",")\d+/g, '$1n')
}

async function mailsHaveLeft(): Promise<void> {
  const left = () => app.db.selectFrom('outgoing_mails').select('mail_id').execute()
  await expect.poll(async () => (await left()).length, { interval: 50 }).toBe(0)
}
