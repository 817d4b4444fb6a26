import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { businessNotFound } from '../../businesses/contract.ts'
import { findBusinessName } from '../../businesses/server/businesses.ts'
import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { hashSecret, isSecret } from '../../kit/server/secret-hash.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal, tooManyUntil, unauthenticated } from '../../kit/shared/refusal.ts'
import { deviceNotFound, devicesPerBusiness, shiftHours, tooManyDevices, wrongPin, type Device } from '../contract.ts'
import { ownsBusiness, tillOf, type Till } from '../policy.ts'
import { readSigned, signed, type RedemptionRoom } from './room.ts'
import * as store from './store.ts'

/** The till of a request with a business login. @throws `unauthenticated` */
export async function tillOfLogin(
  { db }: RedemptionRoom,
  { businessId }: Caller,
  deviceId: string | undefined,
): Promise<Till> {
  // the business of this account was deleted
  if (businessId === null) throw new Refusal(unauthenticated)
  const row = deviceId !== undefined && isUuid(deviceId) ? await store.findTill(db, deviceId) : undefined
  return tillOf(businessId, row)
}

/** @throws `business_not_found` for everybody but the owner */
function ownBusiness(who: Caller, businessId: string): string {
  if (!ownsBusiness(who.businessId, businessId)) throw new Refusal(businessNotFound)
  return who.businessId
}

export async function listDevices({ db }: RedemptionRoom, businessId: string, who: Caller): Promise<Device[]> {
  return (await store.listTills(db, ownBusiness(who, businessId), devicesPerBusiness)).map(deviceAnswer)
}

/** @throws `business_not_found`, `too_many_devices` */
export async function addDevice(
  { db, clock }: RedemptionRoom,
  businessId: string,
  who: Caller,
  { name, pin }: { name: string; pin?: string | undefined },
): Promise<Device & { device_secret: string | null }> {
  const business_id = ownBusiness(who, businessId)
  const secret = pin === undefined ? null : randomBytes(24).toString('base64url')
  const till = {
    till_id: newId(),
    business_id,
    name: name.trim(),
    pin_hash: pin === undefined ? null : await hashSecret(pin),
    secret_hash: secret === null ? null : hashOf(secret),
    created_at: asDate(clock.now()),
  }
  const isIn = await db.transaction().execute((trx) => store.insertTill(trx, till, devicesPerBusiness))
  if (!isIn) throw new Refusal(tooManyDevices, { values: { n: devicesPerBusiness } })
  const created_at = till.created_at.toISOString()
  return {
    ...deviceAnswer({ ...till, redeem_only: pin !== undefined, created_at, last_used_at: null }),
    device_secret: secret,
  }
}

/** @throws `business_not_found`, `device_not_found` */
export async function removeDevice({ db }: RedemptionRoom, businessId: string, deviceId: string, who: Caller) {
  const isGone = isUuid(deviceId) && (await store.deleteTill(db, ownBusiness(who, businessId), deviceId))
  ownBusiness(who, businessId)
  if (!isGone) throw new Refusal(deviceNotFound)
  return null
}

/** Begins a shift on a redeem-only device. PIN and device secret are needed. @throws `device_not_found`, `wrong_pin`, `too_many_requests` */
export async function unlockTill(
  room: RedemptionRoom,
  { device_id, device_secret, pin }: { device_id: string; device_secret: string; pin: string },
) {
  const { db, clock, keyring, limits } = room
  const row = isUuid(device_id) ? await store.findTill(db, device_id) : undefined
  // the business has removed the device
  if (!row) throw new Refusal(deviceNotFound)
  // without the device's secret nobody gets to guess its PIN, so nobody elsewhere uses up its tries
  if (!row.secret_hash || !timingSafeEqual(row.secret_hash, hashOf(device_secret))) throw new Refusal(wrongPin)
  const waitS = await limits.wrongPins.take(row.till_id)
  if (waitS > 0) throw tooManyUntil(waitS)
  if (!(await isSecret(pin, row.pin_hash))) throw new Refusal(wrongPin)
  await limits.wrongPins.forget(row.till_id)
  const now = clock.now()
  await store.noteTillUse(db, row.till_id, asDate(now))
  const expires = now.add({ hours: shiftHours })
  return {
    till_token: signed(keyring, 'till tokens', `${row.till_id}.${expires.epochMilliseconds}`),
    expires_at: expires.toString(),
    business_name: await findBusinessName(db, row.business_id),
    name: row.name,
    server_now: now.toString({ fractionalSecondDigits: 3 }),
  }
}

/** The till of a token from `unlockTill`. @throws `unauthenticated` after the shift, or if the device was removed */
export async function tillOfToken({ db, clock, keyring }: RedemptionRoom, token: string): Promise<Till> {
  const [tillId = '', ms = ''] = readSigned(keyring, 'till tokens', token)?.split('.') ?? []
  if (Number(ms) <= clock.now().epochMilliseconds) throw new Refusal(unauthenticated)
  const row = await store.findTill(db, tillId)
  if (!row) throw new Refusal(unauthenticated)
  return { businessId: row.business_id, tillId: row.till_id, redeemOnly: true }
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

function deviceAnswer({ till_id, name, redeem_only, created_at, last_used_at }: store.TillRow): Device {
  return { device_id: till_id, name, redeem_only, created_at, last_used_at }
}
