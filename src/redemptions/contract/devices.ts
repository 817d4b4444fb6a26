import { z } from 'zod'
import { businessNotFound } from '../../businesses/contract.ts'
import { answerId, answerInstant, answerList, answerName, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { absentWhenEmpty, nameOf, pathId, fieldIssue, text } from '../../kit/shared/input.ts'
import { invalidInput, tooMany, type RefusalKind } from '../../kit/shared/refusal.ts'
import { merchantsAlone } from './redemptions.ts'

export const devicesPerBusiness = 20
export const pinLength = { min: 4, max: 8 }
/** How many wrong PINs a device may send in how many minutes. */
export const wrongPins = { most: 5, perMinutes: 15 }
/** Hours after which a device asks for its PIN again. */
export const shiftHours = 12

export const deviceNotFound = { code: 'device_not_found', status: 404 } as const satisfies RefusalKind
export const tooManyDevices = { code: 'too_many_devices', status: 409 } as const satisfies RefusalKind
export const wrongPin = { code: 'wrong_pin', status: 401 } as const satisfies RefusalKind

const deviceFields = {
  device_id: answerId,
  name: answerName(40),
  redeem_only: z.boolean().meta({ description: 'opens with a PIN and can redeem, nothing else' }),
  created_at: answerInstant,
  last_used_at: answerInstant.nullable(),
}
export const device = z.object(deviceFields).meta({ id: 'Device' })
export type Device = z.infer<typeof device>

const ofBusiness = z.object({ business_id: pathId })
const pin = text({ max: 20 }).superRefine((value, ctx) => {
  if (!/^\d+$/.test(value) || value.length < pinLength.min || value.length > pinLength.max)
    ctx.addIssue(fieldIssue('pin', pinLength))
})

export const listDevices = endpoint({
  method: 'GET',
  path: '/api/business/{business_id}/devices',
  summary: 'The devices on which my staff redeem',
  tag: 'redemptions',
  params: ofBusiness,
  access: merchantsAlone,
  answer: answerList(device, devicesPerBusiness),
  refusals: [businessNotFound],
})

export const addDevice = endpoint({
  method: 'POST',
  path: '/api/business/{business_id}/devices',
  summary: 'Registers a device; with a PIN it is for redeeming alone',
  tag: 'redemptions',
  params: ofBusiness,
  body: z.object({ name: nameOf({ max: 40 }), pin: absentWhenEmpty(pin.optional()) }),
  access: merchantsAlone,
  answer: z
    .object({
      ...deviceFields,
      device_secret: answerText(60)
        .nullable()
        .meta({ description: 'shown once; the device keeps it and sends it with the PIN. null without a PIN' }),
    })
    .meta({ id: 'NewDevice' }),
  status: 201,
  refusals: [invalidInput, businessNotFound, tooManyDevices],
})

export const removeDevice = endpoint({
  method: 'DELETE',
  path: '/api/business/{business_id}/devices/{device_id}',
  summary: 'Takes a device off; it can redeem nothing from then on',
  tag: 'redemptions',
  params: ofBusiness.extend({ device_id: pathId }),
  access: merchantsAlone,
  answer: null,
  status: 204,
  refusals: [businessNotFound, deviceNotFound],
})

export const getClock = endpoint({
  method: 'GET',
  path: '/api/till/clock',
  summary: "The server's time, by which a till knows how far off its clock is",
  tag: 'redemptions',
  access: 'public',
  answer: z.object({ server_now: answerInstant.meta({ unread: undefined }) }).meta({ id: 'ServerClock' }),
  refusals: [],
})

export const unlockTill = endpoint({
  method: 'POST',
  path: '/api/till/unlock',
  summary: `Opens a redeem-only device by its PIN, for ${shiftHours} hours`,
  tag: 'redemptions',
  body: z.object({
    device_id: text({ min: 1, max: 36 }),
    device_secret: text({ min: 1, max: 100 }),
    pin: text({ min: 1, max: 20 }),
  }),
  access: 'public',
  answer: z
    .object({
      till_token: answerText(300).meta({ unread: undefined }),
      expires_at: answerInstant,
      business_name: answerText(80),
      name: answerText(40),
      server_now: answerInstant,
    })
    .meta({ id: 'OpenTill' }),
  refusals: [invalidInput, deviceNotFound, wrongPin, tooMany],
})
