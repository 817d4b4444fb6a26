import { data, redirectDocument, replace, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { hasHappened } from '../../kit/browser/happened.ts'
import { deleteFormDraft } from '../../kit/browser/form-drafts.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { page } from '../../site-map.ts'
import { afterLogin } from './after-login.ts'
import { logInBusiness, logInVisitor } from '../contract.ts'
import { formOf, typedIn } from '../../kit/browser/forms/typed.ts'
import { currentSession, logIn } from './session.ts'
import { siteOptions } from './site-options.ts'

export type LoginKind = 'user' | 'business'

export interface LoginOutcome {
  refused: RefusedAnswer
  typed: { email: string }
  /** The password was right; the authentication code is missing or was wrong. */
  asksCode: boolean
}

export const ways = {
  user: { path: page.userLogin, signup: page.userSignup, other: page.businessLogin, motif: 'river' },
  business: { path: page.businessLogin, signup: page.businessSignup, other: page.userLogin, motif: 'awning' },
} as const

export async function loadLogin({ context, request }: LoaderFunctionArgs) {
  return { ...(await siteOptions(context)), happened: hasHappened(request) }
}

const sendLogin = (kind: LoginKind, body: { email: string; password: string; totp?: string }) =>
  kind === 'user' ? ask(callByFetch, logInVisitor, { body }) : ask(callByFetch, logInBusiness, { body })

/** In the browser: stores the session and goes to the next page. */
export async function logInInBrowser(
  kind: LoginKind,
  { request }: ActionFunctionArgs,
): Promise<LoginOutcome | Response> {
  const form = await formOf(request)
  const { email, password, totp, next } = typedIn(form, 'email', 'password', 'totp', 'next') as Record<
    'email' | 'password' | 'totp' | 'next',
    string
  >
  const { answer, refused } = await sendLogin(kind, {
    email: email.trim(),
    password,
    ...(totp ? { totp: totp.trim() } : {}),
  })
  if (refused) return { refused, typed: { email }, asksCode: refused.code === 'totp_required' || totp !== '' }
  const wasSomebody = currentSession() !== 'guest'
  if (!logIn(answer.body, kind) || currentSession() === 'guest')
    return { refused: { status: 0, code: 'storage_shut', error: '' }, typed: { email }, asksCode: false }
  deleteFormDraft(ways[kind].path)
  const to = await afterLogin(next, kind)
  // A new document, because this one may hold data of another account.
  return wasSomebody ? redirectDocument(to) : replace(to)
}

/**
 * On the server: the form was sent without JavaScript, or before it had loaded. Only a script can store a session, so no login is
 * attempted; the typed address stays in the form.
 */
export async function logInTooEarly({ request }: ActionFunctionArgs) {
  const { email } = typedIn(await formOf(request), 'email')
  const refused = { status: 0, code: 'too_early', error: '' }
  return data({ refused, typed: { email }, asksCode: false } satisfies LoginOutcome, { status: 400 })
}
