import { z } from 'zod'
import { answerText } from '../../kit/shared/answer.ts'
import { absentWhenEmpty, properName, fieldIssue, text } from '../../kit/shared/input.ts'
import { invalidInput, tooMany } from '../../kit/shared/refusal.ts'
import { accountLanguages, roles } from './accounts.ts'
import { passwordLength } from '../limits.ts'
import { passwordNotSet, wrongPassword } from './passwords.ts'

// Parts that several files of this folder share.

/** Also for staff who still have to set up two-factor authentication: they need these endpoints to do so. */
export const ownAccount = { roles, beforeSecondFactor: true } as const
export const language = absentWhenEmpty(z.enum(accountLanguages).optional())

export const displayName = (max: number) => properName({ max })

export const optionalText = (max: number) => absentWhenEmpty(text({ max }).optional())
/** Solution of `GET /api/auth/challenge` in the ALTCHA widget's form: JSON in base64. */
export const altcha = optionalText(6000)

export const password = z
  .string()
  .superRefine((value, ctx) => {
    if (value.includes('\0') || !value.isWellFormed()) return ctx.addIssue(fieldIssue('unreadable'))
    const length = [...value.normalize('NFC')].length
    if (length === 0) ctx.addIssue(fieldIssue('required'))
    else if (length < passwordLength.min) ctx.addIssue(fieldIssue('too_short', { min: passwordLength.min }))
    else if (length > passwordLength.max) ctx.addIssue(fieldIssue('too_long', { max: passwordLength.max }))
  })
  .meta({ minLength: passwordLength.min, maxLength: passwordLength.max })

/** A password to check. No rules of a new password apply: it is right or wrong. */
export const triedPassword = text({ max: 1000 })
/** Refusals of endpoints that ask for the current password. */
export const currentPasswordRefusals = [invalidInput, wrongPassword, passwordNotSet, tooMany] as const
/** Authentication code (six digits), or a recovery code. */
export const totp = absentWhenEmpty(text({ max: 40 }).optional())
/** Asked for beside the current password, for changes that matter. */
export const codeIfOn = totp.meta({
  description: 'required where the second factor is on: six digits, or a recovery code',
})
export const linkToken = text({ min: 1, max: 200 })
export const mailQueued = z.object({ message: answerText(500) }).meta({ id: 'MailPromised', unread: { message: '' } })
