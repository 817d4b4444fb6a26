import { randomBytes, timingSafeEqual } from 'node:crypto'
import type * as oidc from 'openid-client'
import { z } from 'zod'
import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { Redirect } from '../../kit/server/send-answer.ts'
import { email, properName, text } from '../../kit/shared/input.ts'
import { ownPath } from '../../kit/shared/own-path.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { foldEmail, readEmail } from '../../kit/shared/email-address.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import {
  displayNameLength,
  linkInvalid,
  passwordRequired,
  totpRequired,
  wrongCredentials,
  type AccountLanguage,
  type SessionPair,
} from '../contract.ts'
import { finishLogin, proveToBe } from './login.ts'
import { noticeOwner } from './mails.ts'
import { isReservedName } from './names.ts'
import { evictSquatter } from './mailed-links.ts'
import { addressKey, noteEvent, refuseIfWaiting, type AccountRoom, type From } from './room.ts'
import { provesSecondFactor } from './second-factor.ts'
import { hashToken } from './sessions.ts'
import * as store from './store.ts'

const flowMinutes = 10
const arrivalSeconds = 60
const timeoutS = 5
const callbackPath = '/api/auth/google/callback'
/** The cookie is sent to the callback and to the exchange. */
const cookiePath = '/api/auth/google'
const cookieName = 'google_flow'

/** Claims in Google's ID token. */
const personShape = z.object({
  sub: text({ min: 1, max: 255 }),
  email: email(),
  email_verified: z.unknown().optional(),
  name: z.unknown().optional(),
})

/** `#error=` of /googlelogin. */
type GoogleFailure = 'not_set_up' | 'unavailable' | 'cancelled' | 'failed' | 'unverified'

type GoogleResult = { code: string } | { error: GoogleFailure }

/** Redirects to /googlelogin. `next` goes along, so that a retry and the password login still lead there. */
function back(result: GoogleResult, next: string | null | undefined, setCookie: string | null = null): Redirect {
  const target = ownPath(next)
  const screen = loginPageWithNext(page.googleLogin, target === '/' ? null : target)
  return new Redirect(`${screen}#${new URLSearchParams(result).toString()}`, setCookie)
}

// Cache of Google's configuration, which is the same for everybody.
const known = new WeakMap<AccountRoom, Promise<oidc.Configuration>>()

/** Loaded with the first Google login: most sites run without. */
const library = () => import('openid-client')

function provider(room: AccountRoom): Promise<oidc.Configuration> {
  const { clientId, clientSecret, issuer } = room.settings.google!
  let found = known.get(room)
  if (!found) {
    const isLocal = new URL(issuer).protocol === 'http:'
    // Also checks the token's signature, in case the TLS connection to Google was intercepted.
    found = library().then(({ allowInsecureRequests, discovery, enableNonRepudiationChecks }) =>
      discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: timeoutS,
        execute: [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])],
      }),
    )
    known.set(room, found)
    // Failures are not cached.
    found.catch(() => known.delete(room))
  }
  return found
}

/** Redirects to Google with PKCE, state and nonce. A cookie ties the callback to this browser. */
export async function startGoogle(room: AccountRoom, next: string | undefined, from: From): Promise<Redirect> {
  if (!room.settings.google) return back({ error: 'not_set_up' }, next)
  refuseIfWaiting(await room.limits.googleStarts.take(addressKey(room.keyring, from.address)))
  let config: oidc.Configuration
  try {
    config = await provider(room)
  } catch {
    return back({ error: 'unavailable' }, next)
  }
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, ...random } = await library()
  const state = random.randomState()
  const nonce = random.randomNonce()
  const codeVerifier = random.randomPKCECodeVerifier()
  const browser = randomBytes(24).toString('base64url')
  await store.insertGoogleFlow(room.db, {
    state_hash: hashToken(state),
    browser_hash: hashToken(browser),
    code_verifier: codeVerifier,
    nonce,
    next: ownPath(next) ?? page.home,
    origin: from.origin,
    expires_at: asDate(room.clock.now().add({ minutes: flowMinutes })),
  })
  const url = buildAuthorizationUrl(config, {
    redirect_uri: `${from.origin}${callbackPath}`,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  })
  return new Redirect(url.href, cookie(browser, flowMinutes * 60, from.origin))
}

function cookie(value: string, maxAgeS: number, origin: string): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${value}; Path=${cookiePath}; Max-Age=${maxAgeS}; SameSite=Lax; HttpOnly${secure}`
}

/** Google's callback: fetches the person's claims and stores them for a minute, under a code that the screen exchanges. */
export async function finishGoogle(
  room: AccountRoom,
  query: Record<string, string | undefined>,
  cookies: string,
  from: From,
): Promise<Redirect> {
  if (!room.settings.google) return back({ error: 'not_set_up' }, null)
  const forget = cookie('', 0, from.origin)
  const now = room.clock.now()
  const flow = query['state'] ? await store.takeGoogleFlow(room.db, hashToken(query['state']), asDate(now)) : undefined
  if (!flow || !isSameBrowser(cookies, flow.browser_hash)) return refused(room, from, null, forget)
  const { next } = flow
  if (query['error']) return back({ error: query['error'] === 'access_denied' ? 'cancelled' : 'failed' }, next, forget)
  let claims: z.infer<typeof personShape>
  try {
    const config = await provider(room)
    const url = new URL(`${flow.origin}${callbackPath}`)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
    const { authorizationCodeGrant } = await library()
    const tokens = await authorizationCodeGrant(config, url, {
      pkceCodeVerifier: flow.code_verifier,
      expectedState: query['state']!,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    })
    claims = personShape.parse(tokens.claims())
  } catch {
    return refused(room, from, next, forget)
  }
  // An unverified address may belong to somebody else.
  if (claims.email_verified !== true) return back({ error: 'unverified' }, next, forget)
  const code = randomBytes(32).toString('base64url')
  await store.insertGoogleArrival(room.db, {
    code_hash: hashToken(code),
    browser_hash: flow.browser_hash,
    subject: claims.sub,
    email: claims.email,
    email_verified: true,
    display_name: await displayNameOf(room, claims),
    next,
    locale: from.locale,
    expires_at: asDate(now.add({ seconds: arrivalSeconds })),
  })
  return back({ code }, next)
}

function isSameBrowser(cookies: string, browserHash: Buffer): boolean {
  const browser = new RegExp(`(?:^|; *)${cookieName}=([\\w-]+)`).exec(cookies)?.[1]
  return browser !== undefined && timingSafeEqual(hashToken(browser), browserHash)
}

function refused(room: AccountRoom, from: From, next: string | null, setCookie: string): Redirect {
  room.log.note({ event: 'google_refused', actor: null, requestId: from.requestId })
  return back({ error: 'failed' }, next, setCookie)
}

/** Display name: the person's name at Google, else the part before the @, unless they break our rules or are reserved. */
async function displayNameOf(
  { db, settings }: AccountRoom,
  { name, email }: z.infer<typeof personShape>,
): Promise<string> {
  const max = displayNameLength.user
  const asHere = (given: unknown) => {
    const oneLine = (typeof given === 'string' ? given : '').replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, ' ').trim()
    return properName({ max }).safeParse([...oneLine].slice(0, max).join('').trim()).data
  }
  for (const given of [asHere(name), asHere(email.split('@')[0])])
    if (given !== undefined && !(await isReservedName(db, settings.festivalName, given))) return given
  return 'Visitor'
}

/**
 * Starts the session after a Google login. Accounts are linked by Google's id of the person. For an unknown id with a verified
 * address: without an account a new one is created; an unverified account is handed over, without its old password, sessions and
 * second factor; a verified account asks for its password once. The code works only in the browser that went to Google, or a
 * link with an attacker's code would log the victim in to the attacker's account.
 * @throws `link_invalid`, `password_required`, `totp_required`, `wrong_credentials`, `too_many_requests`
 */
export async function exchangeGoogle(
  room: AccountRoom,
  given: { code: string; password: string | undefined; totp: string | undefined },
  cookies: string,
  from: From,
): Promise<SessionPair & { next: string }> {
  const { db, clock } = room
  const codeHash = hashToken(given.code)
  const arrival = await store.findGoogleArrival(db, codeHash, asDate(clock.now()))
  if (!arrival || !isSameBrowser(cookies, arrival.browser_hash)) throw new Refusal(linkInvalid)
  const emailFolded = foldEmail(arrival.email)
  const linked = await store.findIdentity(db, arrival.subject)
  const account = linked
    ? await store.findAccount(db, linked.account_id)
    : await store.findAccountByEmail(db, 'user', emailFolded)
  if (account?.blocked_at) throw new Refusal(linkInvalid)
  if (!linked && typeof readEmail(arrival.email) === 'string') throw new Refusal(linkInvalid)
  const askForMore = async (refusal: Refusal) => {
    await store.prolongGoogleArrival(db, codeHash, asDate(clock.now().add({ minutes: flowMinutes })))
    throw refusal
  }
  if (account && !linked && account.verified_at) {
    if (given.password === undefined) await askForMore(new Refusal(passwordRequired))
    const claimed = { kind: 'user', emailFolded, account } as const
    await proveToBe(room, claimed, { password: given.password!, totp: given.totp }, from)
  } else if (account?.totp_secret && account.verified_at) {
    // The Google login is only the first factor.
    if (given.totp === undefined) await askForMore(new Refusal(totpRequired))
    refuseIfWaiting(await room.limits.codes.take(account.account_id))
    if (!(await provesSecondFactor(room, account, given.totp!))) throw new Refusal(wrongCredentials)
  }
  const pair = await db.transaction().execute(async (trx) => {
    if (!(await store.takeGoogleArrival(trx, codeHash))) throw new Refusal(linkInvalid)
    const owner = await accountOfArrival(room, trx, arrival, account, from)
    return finishLogin(room, trx, owner, from)
  })
  if (!pair) throw new Refusal(linkInvalid)
  return { ...pair, next: arrival.next }
}

async function accountOfArrival(
  room: AccountRoom,
  trx: Parameters<typeof store.linkIdentity>[0],
  arrival: store.GoogleArrival,
  found: store.AccountRow | undefined,
  from: From,
): Promise<store.AccountRow> {
  const now = asDate(room.clock.now())
  const id = found?.account_id ?? newId()
  if (!found) {
    const isNew = await store.insertAccount(trx, {
      account_id: id,
      kind: 'user',
      role: 'user',
      email: arrival.email,
      display_name: arrival.display_name,
      language: arrival.locale as AccountLanguage,
      verified_at: now,
      accepted_terms_at: now,
      created_at: now,
    })
    // Somebody signed up with the address at this moment: a retry finds that account.
    if (!isNew) throw new Refusal(linkInvalid)
  }
  const account = await store.lockAccount(trx, id)
  // Password and second factor were checked before the lock: the account must still be the same.
  const isAsItWas =
    !found || (account?.password_hash === found.password_hash && !account.verified_at === !found.verified_at)
  if (!account || !isAsItWas) throw new Refusal(linkInvalid)
  if (!account.verified_at) {
    await evictSquatter(trx, id)
    // An older release may have stored an address that is not valid today: use the one that Google has verified.
    const isForeign = typeof readEmail(account.email) === 'string' && typeof readEmail(arrival.email) !== 'string'
    const email = isForeign ? arrival.email : account.email
    // Staff keep the name that the operator gave them.
    const display_name = account.role === 'user' ? arrival.display_name : account.display_name
    await store.changeAccount(trx, id, { verified_at: now, display_name, email })
  }
  if ((await store.findIdentity(trx, arrival.subject))?.account_id !== id) {
    await store.linkIdentity(trx, arrival.subject, id, now)
    if (found) await noticeOwner(room, trx, 'google_linked', account, from)
    else await noteEvent(room, trx, { event: 'google_linked', accountId: id, requestId: from.requestId })
  }
  return account.verified_at ? account : { ...account, password_hash: null }
}
