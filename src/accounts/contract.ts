import { z } from 'zod'
import { answerId, answerInstant, answerList, answerText } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { absentWhenEmpty, email, line, pathId, queryText, said, text } from '../kit/shared/input.ts'
import { invalidInput, tooMany, type RefusalKind } from '../kit/shared/refusal.ts'

/** Visitors, merchants and staff. Staff are made by a command, never by signup. */
export const roles = ['user', 'business', 'moderator', 'admin'] as const
export type Role = (typeof roles)[number]
/** An address may hold one account of each kind; staff are of the kind `user`. */
export const accountKinds = ['user', 'business'] as const
export type AccountKind = (typeof accountKinds)[number]

/** For `access` of endpoints. */
export const anybodyLoggedIn = { roles } as const
export const visitorsAlone = { roles: ['user', 'moderator', 'admin'] } as const
export const merchantsAlone = { roles: ['business'] } as const
export const staffAlone = { roles: ['moderator', 'admin'] } as const
/** What one needs to put one's account in order, also before the second factor that staff must have. */
const ownAccount = { roles, beforeSecondFactor: true } as const

/** Characters of a password, after Unicode normalisation (NFC). No rules of composition. */
export const passwordLength = { min: 8, max: 128 }
export const accessTokenMinutes = 15
/** A session ends after this many days without use … */
export const sessionIdleDays = 30
/** … and after this many in any case. */
export const sessionDays = 90
/** The refresh token before the newest still gets a working pair for this long, for a second tab that was late. */
export const refreshGraceSeconds = 10
export const verificationHours = 24
export const resetMinutes = 60
/** Days in which a deletion can be taken back. */
export const deletionDays = 14
/** Wrong passwords that are looked at per account and hour; the next ones wait. */
export const guessesPerHour = 25
/** Wrong passwords from one address and hour, over all accounts: a festival crowd behind one address stays below. */
export const wrongLoginsPerAddress = 300
/** Mails about one address that strangers can cause within 30 minutes. */
export const mailsPerHalfHour = 5
/** Beyond this many successful or failed signups an hour from one address the proof of work is demanded. */
export const signupsPerAddress = { successful: 100, failed: 30 }
export const recoveryCodeCount = 10
export const accountLanguages = ['en', 'de', 'fr'] as const
export type AccountLanguage = (typeof accountLanguages)[number]

export const wrongCredentials = { code: 'wrong_credentials', status: 401 } as const satisfies RefusalKind
/** The password was right; the second factor is missing. */
export const totpRequired = { code: 'totp_required', status: 401 } as const satisfies RefusalKind
/** A refresh token that is expired, unknown or was used before. */
export const sessionEnded = { code: 'session_ended', status: 401 } as const satisfies RefusalKind
/** The Google address belongs to an account with a password: it is asked for once, then the two are linked. */
export const passwordRequired = { code: 'password_required', status: 401 } as const satisfies RefusalKind
/** A change of the account wants the present password, and this was another. */
export const wrongPassword = { code: 'wrong_password', status: 403 } as const satisfies RefusalKind
export const challengeRequired = { code: 'challenge_required', status: 403 } as const satisfies RefusalKind
export const linkInvalid = { code: 'link_invalid', status: 400 } as const satisfies RefusalKind
/** Signed up by Google: a password comes by "Forgot password". */
export const passwordNotSet = { code: 'password_not_set', status: 409 } as const satisfies RefusalKind
export const secondFactorOn = { code: 'second_factor_on', status: 409 } as const satisfies RefusalKind
export const secondFactorOff = { code: 'second_factor_off', status: 409 } as const satisfies RefusalKind
/** Staff cannot do without a second factor. */
export const secondFactorKept = { code: 'second_factor_kept', status: 403 } as const satisfies RefusalKind
export const sessionNotFound = { code: 'session_not_found', status: 404 } as const satisfies RefusalKind

const linkToken = text({ min: 1, max: 200 })
const password = z
  .string()
  .superRefine((value, ctx) => {
    if (value.includes('\0') || !value.isWellFormed()) return ctx.addIssue(said('unreadable'))
    const length = [...value.normalize('NFC')].length
    if (length === 0) ctx.addIssue(said('required'))
    else if (length < passwordLength.min) ctx.addIssue(said('too_short', { min: passwordLength.min }))
    else if (length > passwordLength.max) ctx.addIssue(said('too_long', { max: passwordLength.max }))
  })
  .meta({ minLength: passwordLength.min, maxLength: passwordLength.max })
/** A password to compare: whatever it is, it is only right or wrong. */
const triedPassword = text({ max: 1000 })
/** Six digits of the authenticator app, or a recovery code. */
const totp = absentWhenEmpty(text({ max: 40 }).optional())
const optionalText = (max: number) => absentWhenEmpty(text({ max }).optional())
/** Solution of `GET /api/auth/challenge`, as the ALTCHA widget gives it: JSON in base64. */
const altcha = optionalText(6000)
const language = absentWhenEmpty(z.enum(accountLanguages).optional())
const displayName = line({ min: 1, max: 40 }).superRefine((value, ctx) => {
  if (value.trim() && !/[\p{L}\p{N}\p{P}\p{S}]/u.test(value)) ctx.addIssue(said('required'))
})
/** The fields of a signup that the room of businesses has in common with this one. */
export const signupFields = { email: email(), password, language, altcha }

/** What a login gives; the specification keeps it in local storage under these names. */
export const sessionPair = z
  .object({
    authToken: z.string().meta({ maxLength: 2000, description: 'bearer token, lives 15 minutes' }),
    refreshToken: z.string().meta({ maxLength: 200, description: 'for POST /api/auth/refresh, once' }),
    userType: z.enum(roles).meta({ description: '"business" for merchants' }),
    businessId: answerId.optional().meta({ description: 'for merchants only' }),
  })
  .meta({ id: 'SessionPair' })
export type SessionPair = z.infer<typeof sessionPair>

export const signUpVisitor = endpoint({
  method: 'POST',
  path: '/api/auth/signup',
  summary: 'A new visitor account; answers alike when the address is taken, whose owner then gets a mail',
  tag: 'accounts',
  body: z.object({
    display_name: displayName,
    ...signupFields,
    accepts_terms: z.boolean().superRefine((value, ctx) => {
      if (!value) ctx.addIssue(said('terms'))
    }),
  }),
  access: 'public',
  answer: z.object({ message: answerText(500) }).meta({ id: 'SignedUp' }),
  status: 201,
  refusals: [invalidInput, challengeRequired, tooMany],
})

const loginBody = z.object({ email: text({ min: 1, max: 200 }), password: triedPassword, totp })

export const logInVisitor = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Login of visitors and staff',
  tag: 'accounts',
  body: loginBody,
  access: 'public',
  answer: sessionPair,
  refusals: [invalidInput, wrongCredentials, totpRequired, tooMany],
})

export const logInBusiness = endpoint({
  method: 'POST',
  path: '/api/business/login',
  summary: 'Login of merchants',
  tag: 'accounts',
  body: loginBody,
  access: 'public',
  answer: sessionPair,
  refusals: [invalidInput, wrongCredentials, totpRequired, tooMany],
})

export const refreshSession = endpoint({
  method: 'POST',
  path: '/api/auth/refresh',
  summary: 'A new pair for a refresh token; using one twice ends the session (but for 10 seconds)',
  tag: 'accounts',
  body: z.object({ refreshToken: text({ min: 1, max: 200 }) }),
  access: 'public',
  answer: sessionPair,
  refusals: [invalidInput, sessionEnded],
})

export const logOut = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Ends the session of the bearer token, and that of the refresh token; 204 whether there was one or not',
  tag: 'accounts',
  body: z.object({ refreshToken: optionalText(200) }),
  access: 'noticed',
  answer: null,
  status: 204,
  refusals: [invalidInput],
})

const promisedMail = z.object({ message: answerText(500) }).meta({ id: 'MailPromised' })

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot',
  summary: 'A mail with a link to set a new password, if the address has an account; answers alike if not',
  tag: 'accounts',
  body: z.object({
    email: email(),
    kind: absentWhenEmpty(z.enum(accountKinds).optional()).meta({
      description: 'absent: every account of the address',
    }),
  }),
  access: 'public',
  answer: promisedMail,
  status: 202,
  refusals: [invalidInput, tooMany],
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset',
  summary: 'Sets a new password by the link of a mail (60 minutes, once); ends every session',
  tag: 'accounts',
  body: z.object({ token: linkToken, password }),
  access: 'public',
  answer: z
    .object({ kind: z.enum(accountKinds).meta({ description: 'where to log in now' }) })
    .meta({ id: 'PasswordReset' }),
  refusals: [invalidInput, linkInvalid],
})

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify',
  summary: 'Confirms an e-mail address by the link of a mail (24 hours, once): of a signup or of a changed address',
  tag: 'accounts',
  body: z.object({ token: linkToken }),
  access: 'public',
  answer: z
    .object({
      kind: z.enum(accountKinds).meta({ description: 'where to log in' }),
      changed: z.boolean().meta({ description: 'true: the account has a new address from now on' }),
    })
    .meta({ id: 'EmailVerified' }),
  refusals: [invalidInput, linkInvalid],
})

export const resendVerification = endpoint({
  method: 'POST',
  path: '/api/auth/verify/resend',
  summary: 'Another mail with the link that confirms the address',
  tag: 'accounts',
  access: ownAccount,
  answer: promisedMail,
  status: 202,
  refusals: [tooMany],
})

export const authOptions = endpoint({
  method: 'GET',
  path: '/api/auth/options',
  summary: 'What this site offers for signing in',
  tag: 'accounts',
  access: 'public',
  answer: z
    .object({
      google: z.boolean().meta({ description: 'false: Google sign-in is not set up' }),
      challenge: z.enum(['auto', 'always']).meta({ description: 'always: no signup without proof of work' }),
      verified_email_required: z.boolean(),
      password_blocklist: z.boolean().meta({ description: 'true: well-known passwords are refused' }),
      demo_mail: answerText(200)
        .nullable()
        .meta({ description: 'page with the mails of the demo; null: mails are sent' }),
    })
    .meta({ id: 'AuthOptions' }),
  refusals: [],
})

export const getChallenge = endpoint({
  method: 'GET',
  path: '/api/auth/challenge',
  summary: 'Proof of work for a signup (ALTCHA), to be used once within 10 minutes',
  tag: 'accounts',
  access: 'public',
  answer: z
    .object({
      parameters: z
        .object({
          algorithm: answerText(40),
          cost: z.number().int(),
          expiresAt: z.number().int().optional().meta({ description: 'Unix time in seconds' }),
          keyLength: z.number().int(),
          keyPrefix: answerText(64),
          nonce: answerText(200),
          salt: answerText(200),
        })
        .meta({ description: 'what ALTCHA wants' }),
      signature: answerText(200).optional(),
    })
    .meta({ id: 'Challenge' }),
  refusals: [tooMany],
})

export const startGoogle = endpoint({
  method: 'GET',
  path: '/api/auth/google/start',
  summary: 'Sends the browser to Google; comes back to /googlelogin#code=… or #error=…',
  tag: 'accounts',
  query: z.object({ next: queryText(2000) }),
  access: 'public',
  answer: null,
  status: 303,
  redirects: true,
  refusals: [invalidInput, tooMany],
})

export const finishGoogle = endpoint({
  method: 'GET',
  path: '/api/auth/google/callback',
  summary: 'Where Google sends the browser back to',
  tag: 'accounts',
  query: z.object({
    code: queryText(2000),
    state: queryText(500),
    iss: queryText(500),
    error: queryText(200),
    scope: queryText(1000),
  }),
  access: 'public',
  answer: null,
  status: 303,
  redirects: true,
  refusals: [invalidInput],
})

export const exchangeGoogle = endpoint({
  method: 'POST',
  path: '/api/auth/google/exchange',
  summary: 'A session for the code that /googlelogin was opened with (one minute, or ten when more is asked for)',
  tag: 'accounts',
  body: z.object({
    code: linkToken,
    password: absentWhenEmpty(triedPassword.optional()).meta({
      description: 'once, when the address already has an account (401 password_required)',
    }),
    totp,
  }),
  access: 'public',
  answer: sessionPair
    .extend({ next: z.string().meta({ maxLength: 2000, description: 'own path to go to; "/" by default' }) })
    .meta({
      id: 'GoogleSession',
    }),
  refusals: [invalidInput, linkInvalid, passwordRequired, wrongCredentials, totpRequired, tooMany],
})

export const me = z
  .object({
    account_id: answerId,
    role: z.enum(roles),
    display_name: answerText(80),
    email: answerText(200),
    email_verified: z.boolean(),
    pending_email: answerText(200).nullable().meta({ description: 'a new address that waits for its confirmation' }),
    language: z.enum(accountLanguages),
    business_id: answerId.nullable(),
    has_password: z.boolean().meta({ description: 'false: came by Google and has set none' }),
    second_factor: z.boolean(),
    recovery_codes_left: z.number().int(),
    google_linked: z.boolean(),
    newsletter: z.boolean(),
    location_consent: z.boolean().meta({ description: 'may the site ask the browser for the position by itself' }),
    default_reminder_min: z.number().int().nullable(),
    created_at: answerInstant,
    deletion_at: answerInstant
      .nullable()
      .meta({ description: 'when the account will be deleted; can be taken back until then' }),
    must_verify: z.boolean().meta({ description: 'true: some things wait until the address is confirmed' }),
    must_set_second_factor: z.boolean().meta({ description: 'staff without a second factor' }),
  })
  .meta({ id: 'Me' })
export type Me = z.infer<typeof me>

export const getMe = endpoint({
  method: 'GET',
  path: '/api/me',
  summary: 'My account',
  tag: 'me',
  access: ownAccount,
  answer: me,
  refusals: [],
})

export const changeMe = endpoint({
  method: 'PATCH',
  path: '/api/me',
  summary: 'Changes what is sent, leaves the rest',
  tag: 'me',
  body: z.object({
    display_name: displayName.optional(),
    language: z.enum(accountLanguages).optional(),
    location_consent: z.boolean().optional(),
    newsletter: z.boolean().optional().meta({
      description: 'true: at once with a confirmed address, otherwise after the link in a mail; false: at once',
    }),
    default_reminder_min: z
      .union([
        z.literal(0),
        z.literal(5),
        z.literal(10),
        z.literal(15),
        z.literal(20),
        z.literal(30),
        z.literal(45),
        z.literal(60),
        z.literal(120),
      ])
      .nullable()
      .optional(),
  }),
  access: ownAccount,
  answer: me,
  refusals: [invalidInput],
})

export const deleteMe = endpoint({
  method: 'DELETE',
  path: '/api/me',
  summary: 'Deletes my account in 14 days; ends every session. Logging in and POST /api/me/keep takes it back',
  tag: 'me',
  body: z.object({ password: triedPassword }),
  access: ownAccount,
  answer: z.object({ deletion_at: answerInstant }).meta({ id: 'DeletionPromised' }),
  status: 202,
  refusals: [invalidInput, wrongPassword, passwordNotSet, tooMany],
})

export const keepMe = endpoint({
  method: 'POST',
  path: '/api/me/keep',
  summary: 'Takes a deletion back',
  tag: 'me',
  access: ownAccount,
  answer: me,
  refusals: [],
})

export const exportMe = endpoint({
  method: 'GET',
  path: '/api/me/export',
  summary: 'Everything that is kept about me: a zip with one JSON file, and a CSV file for each kind of thing',
  tag: 'me',
  access: ownAccount,
  answer: null,
  status: 200,
  fileType: 'application/zip',
  refusals: [tooMany],
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/me/sessions',
  summary: 'Where I am logged in, the latest first; at most 100',
  tag: 'me',
  access: ownAccount,
  answer: answerList(
    z
      .object({
        session_id: answerId,
        current: z.boolean(),
        device: z.string().meta({ maxLength: 80, description: 'e.g. "Firefox on Android"' }),
        created_at: answerInstant,
        last_used_at: answerInstant,
        expires_at: answerInstant,
      })
      .meta({ id: 'Session' }),
    100,
  ),
  refusals: [],
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/me/sessions/{session_id}',
  summary: 'Ends one of my sessions',
  tag: 'me',
  params: z.object({ session_id: pathId }),
  access: ownAccount,
  answer: null,
  status: 204,
  refusals: [sessionNotFound],
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/me/sessions',
  summary: 'Ends all my sessions but this one',
  tag: 'me',
  access: ownAccount,
  answer: null,
  status: 204,
  refusals: [],
})

export const changeEmail = endpoint({
  method: 'POST',
  path: '/api/me/email',
  summary: 'A new login address: counts once the link mailed to it is opened; the old address is told',
  tag: 'me',
  body: z.object({ email: email(), password: triedPassword }),
  access: ownAccount,
  answer: promisedMail,
  status: 202,
  refusals: [invalidInput, wrongPassword, passwordNotSet, tooMany],
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/me/password',
  summary: 'A new password; ends every session and answers a new one for this device',
  tag: 'me',
  body: z.object({ password: triedPassword, new_password: password }),
  access: ownAccount,
  answer: sessionPair,
  refusals: [invalidInput, wrongPassword, passwordNotSet, tooMany],
})

export const setUpSecondFactor = endpoint({
  method: 'POST',
  path: '/api/me/2fa/setup',
  summary: 'A new secret for an authenticator app; counts once `enable` has seen a code of it',
  tag: 'me',
  body: z.object({ password: triedPassword }),
  access: ownAccount,
  answer: z
    .object({
      secret: z.string().meta({ maxLength: 64, description: 'base32, to be typed where no camera is at hand' }),
      otpauth_url: answerText(2000),
      qr: z
        .object({
          size: z.number().int().meta({ description: 'modules per side, quiet zone included' }),
          path: z
            .string()
            .meta({ maxLength: 40_000, description: 'the `d` of one SVG path in a viewBox of 0 0 size size' }),
        })
        .meta({ description: 'drawn with <path d>, so that no markup crosses the wire' }),
    })
    .meta({ id: 'SecondFactorSetup' }),
  refusals: [invalidInput, wrongPassword, passwordNotSet, secondFactorOn, tooMany],
})

export const enableSecondFactor = endpoint({
  method: 'POST',
  path: '/api/me/2fa/enable',
  summary: 'Switches the second factor on; answers the recovery codes, this once',
  tag: 'me',
  body: z.object({ totp: text({ min: 1, max: 40 }) }),
  access: ownAccount,
  answer: z.object({ recovery_codes: answerList(answerText(20), recoveryCodeCount) }).meta({ id: 'RecoveryCodes' }),
  refusals: [invalidInput, secondFactorOn, secondFactorOff, tooMany],
})

export const disableSecondFactor = endpoint({
  method: 'POST',
  path: '/api/me/2fa/disable',
  summary: 'Switches the second factor off',
  tag: 'me',
  body: z.object({ password: triedPassword, totp: text({ min: 1, max: 40 }) }),
  access: ownAccount,
  answer: null,
  status: 204,
  refusals: [invalidInput, wrongPassword, passwordNotSet, secondFactorOff, secondFactorKept, tooMany],
})

export const subscribeNewsletter = endpoint({
  method: 'POST',
  path: '/api/newsletter',
  summary: 'Asks for the newsletter; it comes once the link in a mail is opened. Answers alike for a known address',
  tag: 'newsletter',
  body: z.object({ email: email(), language }),
  access: 'public',
  answer: promisedMail,
  status: 202,
  refusals: [invalidInput, tooMany],
})

export const confirmNewsletter = endpoint({
  method: 'POST',
  path: '/api/newsletter/confirm',
  summary: 'Confirms the newsletter by the link of a mail',
  tag: 'newsletter',
  body: z.object({ token: linkToken }),
  access: 'public',
  answer: null,
  status: 204,
  refusals: [invalidInput, linkInvalid],
})

export const unsubscribeNewsletter = endpoint({
  method: 'POST',
  path: '/api/newsletter/unsubscribe',
  summary:
    'Ends the newsletter by the token of its mails (whose own one click, RFC 8058, is a POST to /newsletter/unsubscribe)',
  tag: 'newsletter',
  query: z.object({ subscriber: queryText(200) }),
  access: 'public',
  answer: null,
  status: 204,
  refusals: [invalidInput, linkInvalid],
})
