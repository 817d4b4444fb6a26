import { goodPassword } from './good-password.ts'

/** A call of a stranger. `form`: sent as a form, like the specified signup of businesses. */
export interface StrangersCall {
  path: string
  method?: 'GET' | 'POST'
  body?: Record<string, unknown>
  form?: Record<string, string>
  token?: string | undefined
}

export interface StrangersAnswer {
  status: number
  /** The parsed JSON, or else the text. */
  body: Record<string, unknown>
}

export type Ask = (call: StrangersCall) => Promise<StrangersAnswer>

/**
 * Calls by which a stranger tries to find out whether an email address has an account: everything that uses up a limit, sends a mail or
 * asks for a password, in many orders. The answers must be the same for an address with the hidden account and for one without.
 */
export interface Sequence {
  title: string
  /** Kind of the hidden account. */
  hidden: 'user' | 'business'
  /** Kind of another account with the same address, which the stranger made before: its limits must not reveal the hidden account. */
  own?: 'user' | 'business'
  /** `stranger`: email address of the stranger's own account, of the kind `account`. */
  elsewhere?: 'user' | 'business'
  run(ask: Ask, at: { address: string; token: string | undefined }): Promise<void>
}

export const signUp = (kind: 'user' | 'business', email: string): StrangersCall =>
  kind === 'user'
    ? { path: '/api/auth/signup', body: { display_name: 'Lena', email, password: goodPassword, accepts_terms: true } }
    : { path: '/api/business/signup', form: { business_name: 'Café Rhein', email, password: goodPassword } }

export const logIn = (kind: 'user' | 'business', email: string, password = goodPassword): StrangersCall => ({
  path: kind === 'user' ? '/api/auth/login' : '/api/business/login',
  body: { email, password },
})

const forgot = (email: string, kind?: 'user' | 'business'): StrangersCall => ({
  path: '/api/auth/forgot',
  body: { email, ...(kind ? { kind } : {}) },
})
const newsletter = (email: string): StrangersCall => ({ path: '/api/newsletter', body: { email } })
const resend = (token: string | undefined): StrangersCall => ({
  path: '/api/auth/verify/resend',
  method: 'POST',
  token,
})
const changeTo = (email: string, token: string | undefined): StrangersCall => ({
  path: '/api/me/email',
  body: { email, password: goodPassword },
  token,
})
const me = (token: string | undefined): StrangersCall => ({ path: '/api/me', method: 'GET', token })

async function times(n: number, ask: Ask, call: StrangersCall): Promise<void> {
  for (let done = 0; done < n; done++) await ask(call)
}

/** More than the limit of mails to one address. */
const beyond = 6

export const sequences: Sequence[] = [
  {
    title: 'a business account under the address, forgotten passwords of visitors, then resends until they end',
    hidden: 'user',
    own: 'business',
    async run(ask, { address, token }) {
      await times(2, ask, forgot(address, 'user'))
      await times(beyond, ask, resend(token))
    },
  },
  {
    title: 'a visitor account under the address, forgotten passwords of businesses, then resends until they end',
    hidden: 'business',
    own: 'user',
    async run(ask, { address, token }) {
      await times(2, ask, forgot(address, 'business'))
      await times(beyond, ask, resend(token))
    },
  },
  {
    title: 'a business account under the address, newsletters, then resends until they end',
    hidden: 'user',
    own: 'business',
    async run(ask, { address, token }) {
      await times(beyond, ask, newsletter(address))
      await times(beyond, ask, resend(token))
    },
  },
  {
    title: 'a business account under the address, signups of visitors, then resends until they end',
    hidden: 'user',
    own: 'business',
    async run(ask, { address, token }) {
      await times(2, ask, signUp('user', address))
      await times(beyond, ask, resend(token))
    },
  },
  {
    title: 'a visitor account under the address, signups of businesses, then resends until they end',
    hidden: 'business',
    own: 'user',
    async run(ask, { address, token }) {
      await times(2, ask, signUp('business', address))
      await times(beyond, ask, resend(token))
    },
  },
  {
    title: 'resends until they end, then every other mail to the address',
    hidden: 'user',
    own: 'business',
    async run(ask, { address, token }) {
      await times(beyond, ask, resend(token))
      for (const call of [forgot(address), newsletter(address), signUp('user', address)]) await ask(call)
    },
  },
  {
    title: 'a visitor changes to the address, looks at the account, and does it again',
    hidden: 'user',
    elsewhere: 'user',
    async run(ask, { address, token }) {
      for (let n = 0; n < 2; n++) {
        await ask(changeTo(address, token))
        await ask(me(token))
      }
      await ask(resend(token))
    },
  },
  {
    title: 'a merchant changes to the address after forgotten passwords and newsletters of it',
    hidden: 'business',
    elsewhere: 'business',
    async run(ask, { address, token }) {
      await times(2, ask, forgot(address))
      await ask(newsletter(address))
      await ask(changeTo(address, token))
      await ask(me(token))
      await ask(resend(token))
    },
  },
  {
    title: 'a merchant changes to the address of a visitor, who is then signed up and forgotten',
    hidden: 'user',
    elsewhere: 'business',
    async run(ask, { address, token }) {
      await ask(changeTo(address, token))
      await ask(signUp('user', address))
      await times(2, ask, forgot(address, 'user'))
      await ask(me(token))
    },
  },
  {
    title: 'newsletters, forgotten passwords and signups of both kinds without any account',
    hidden: 'user',
    async run(ask, { address }) {
      await times(2, ask, newsletter(address))
      await times(2, ask, forgot(address))
      await ask(signUp('business', address))
      await ask(signUp('user', address))
      await ask(forgot(address, 'business'))
    },
  },
  {
    title: 'wrong passwords of both kinds, forgotten passwords, and wrong passwords again',
    hidden: 'business',
    async run(ask, { address }) {
      await times(2, ask, logIn('business', address, 'a wrong guess'))
      await ask(logIn('user', address, 'a wrong guess'))
      await ask(forgot(address, 'business'))
      await times(2, ask, logIn('business', address, 'a wrong guess'))
    },
  },
  {
    title: 'a return from Google with the address unverified, a code of nobody, and forgotten passwords',
    hidden: 'user',
    async run(ask, { address }) {
      await ask({ path: `/api/auth/google/start?next=%2Fcontact`, method: 'GET' })
      await ask({ path: '/api/auth/google/exchange', body: { code: 'a'.repeat(43), password: goodPassword } })
      await times(2, ask, forgot(address))
      await ask(newsletter(address))
      await ask(logIn('user', address, 'a wrong guess'))
    },
  },
]
