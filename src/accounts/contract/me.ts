import { z } from 'zod'
import { answerId, answerInstant, answerText, orUnread } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { email } from '../../kit/shared/input.ts'
import { invalidInput, tooMany } from '../../kit/shared/refusal.ts'
import { accountLanguages, displayNameLength, reminderMinutes, roles } from './accounts.ts'
import {
  displayName,
  ownAccount,
  password,
  currentPasswordRefusals,
  mailQueued,
  codeIfOn,
  triedPassword,
} from './parts.ts'
import { sessionPair } from './sessions.ts'

/** A deletion can be taken back for this long. */
export const deletionDays = 14

export const me = z
  .object({
    account_id: answerId.meta({ unread: '' }),
    role: z.enum(roles).meta({ unread: 'user' }),
    display_name: answerText(displayNameLength.business),
    email: answerText(200),
    email_verified: z.boolean().meta({ unread: true }),
    pending_email: answerText(200).nullable().meta({ description: 'a new address that waits for its confirmation' }),
    language: z.enum(accountLanguages).meta({ unread: 'en' }),
    business_id: answerId.nullable(),
    has_password: z.boolean().meta({ unread: true, description: 'false: came by Google and has set none' }),
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
    display_name: displayName(displayNameLength.business)
      .meta({ description: `at most ${displayNameLength.user} characters for visitors and staff` })
      .optional(),
    language: z.enum(accountLanguages).optional(),
    location_consent: z.boolean().optional(),
    newsletter: z.boolean().optional().meta({
      description: 'true: at once with a confirmed address, otherwise after the link in a mail; false: at once',
    }),
    default_reminder_min: z
      .union(reminderMinutes.map((minutes) => z.literal(minutes)))
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
  body: z.object({ password: triedPassword, totp: codeIfOn }),
  access: ownAccount,
  answer: z
    .object({ deletion_at: orUnread(answerInstant) })
    .meta({ id: 'DeletionPromised', unread: { deletion_at: null } }),
  status: 202,
  refusals: currentPasswordRefusals,
})

export const cancelDeletion = endpoint({
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
  changes: true,
  summary: 'Everything that is kept about me: a zip with one JSON file, and a CSV file for each kind of thing',
  tag: 'me',
  access: ownAccount,
  answer: null,
  status: 200,
  fileType: 'application/zip',
  refusals: [tooMany],
})

export const changeEmail = endpoint({
  method: 'POST',
  path: '/api/me/email',
  summary:
    'A new login address: counts once the link mailed to it is opened; the old address is told. Ends every other session',
  tag: 'me',
  body: z.object({
    email: email(),
    password: triedPassword,
    totp: codeIfOn,
  }),
  access: ownAccount,
  answer: mailQueued,
  status: 202,
  refusals: currentPasswordRefusals,
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/me/password',
  summary: 'A new password; ends every session and answers a new one for this device',
  tag: 'me',
  body: z.object({ password: triedPassword, totp: codeIfOn, new_password: password }),
  access: ownAccount,
  answer: sessionPair,
  refusals: currentPasswordRefusals,
})
