import { z } from 'zod'
import { answerList, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { text } from '../../kit/shared/input.ts'
import { invalidInput, tooMany, type RefusalKind } from '../../kit/shared/refusal.ts'
import { ownAccount, currentPasswordRefusals, triedPassword } from './parts.ts'

export const recoveryCodeCount = 10
export const secondFactorOn = { code: 'second_factor_on', status: 409 } as const satisfies RefusalKind
export const secondFactorOff = { code: 'second_factor_off', status: 409 } as const satisfies RefusalKind
/** Staff cannot switch two-factor authentication off. */
export const secondFactorMandatory = { code: 'second_factor_kept', status: 403 } as const satisfies RefusalKind

export const setUpSecondFactor = endpoint({
  method: 'POST',
  path: '/api/me/2fa/setup',
  summary: 'A new secret for an authenticator app; counts once `enable` has seen a code of it',
  tag: 'me',
  body: z.object({ password: triedPassword }),
  access: ownAccount,
  answer: z
    .object({
      secret: z
        .string()
        .meta({ unread: undefined, maxLength: 64, description: 'base32, to be typed where no camera is at hand' }),
      otpauth_url: answerText(2000),
      qr: z
        .object({
          size: z.number().int().meta({ description: 'modules per side, quiet zone included' }),
          path: z
            .string()
            .meta({ maxLength: 40_000, description: 'the `d` of one SVG path in a viewBox of 0 0 size size' }),
        })
        .meta({
          unread: { size: 0, path: '' },
          description: 'drawn with <path d>, so that no markup crosses the wire',
        }),
    })
    .meta({ id: 'SecondFactorSetup' }),
  refusals: [...currentPasswordRefusals, secondFactorOn],
})

const recoveryCodes = z
  .object({ recovery_codes: answerList(answerText(20), recoveryCodeCount).meta({ unread: undefined }) })
  .meta({ id: 'RecoveryCodes' })

export const enableSecondFactor = endpoint({
  method: 'POST',
  path: '/api/me/2fa/enable',
  summary: 'Switches the second factor on; answers the recovery codes, this once',
  tag: 'me',
  body: z.object({ totp: text({ min: 1, max: 40 }) }),
  access: ownAccount,
  answer: recoveryCodes,
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
  refusals: [...currentPasswordRefusals, secondFactorOff, secondFactorMandatory],
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/me/2fa/recovery-codes',
  summary: 'New recovery codes, shown once; the old ones stop working',
  tag: 'me',
  body: z.object({ password: triedPassword, totp: text({ min: 1, max: 40 }) }),
  access: ownAccount,
  answer: recoveryCodes,
  refusals: [...currentPasswordRefusals, secondFactorOff],
})
