import { asDate } from '../../kit/server/clock.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal, tooManyUntil } from '../../kit/shared/refusal.ts'
import { codeUnknown, ticketMinutes, tooManyWrongCodes, wrongBusiness } from '../contract.ts'
import { codeKeys, keyOfClaim, readSigned, signed, type RedemptionRoom } from './room.ts'
import { codesOf, isCode, slotOf, stepAt } from './rotating-codes.ts'
import * as store from './store.ts'
import { mayRedeem, type Till } from '../policy.ts'

/** A code in one of its three forms. */
export interface GivenCode {
  code?: string | undefined
  payload?: string | undefined
  ticket?: string | undefined
}

/** The claim of a code, and when a till read the code. */
export interface ReadCode {
  claimId: string
  dealId: string
  readAt: Temporal.Instant
}

/**
 * The claim that shows this code at this instant. Valid are the codes of the current and the previous step; for an offline scan also
 * that of the next step, because the clock of the till may be some seconds behind.
 * @throws `code_unknown`, `wrong_business`, `too_many_wrong_codes`, `too_many_requests`
 */
export async function readCode(
  room: RedemptionRoom,
  till: Till,
  given: GivenCode,
  at: Temporal.Instant,
  isOffline = false,
): Promise<ReadCode> {
  if (given.ticket !== undefined) return readTicket(room, till, given.ticket)
  const steps = validSteps(at, isOffline)
  const claim =
    given.payload === undefined
      ? await claimOfDigits(room, till, typed(given), steps, at)
      : await claimOfPayload(room, till, given.payload, steps, at)
  if (!claim) throw new Refusal(codeUnknown)
  if (!mayRedeem(till, claim)) throw new Refusal(wrongBusiness)
  return { claimId: claim.claim_id, dealId: claim.deal_id, readAt: at }
}

/** Typed digits can be guessed, so wrong ones are limited by business and device. Unregistered devices count as one. */
async function claimOfDigits(
  room: RedemptionRoom,
  till: Till,
  code: string,
  steps: number[],
  at: Temporal.Instant,
): Promise<store.ClaimRow | null> {
  const tries: Try[] = [
    [room.limits.wrongOfBusiness, till.businessId],
    [room.limits.wrongOfDevice, till.tillId ?? `others of ${till.businessId}`],
  ]
  const waitS = await takeTry(tries)
  if (waitS > 0) throw tooManyUntil(waitS, tooManyWrongCodes)
  const claim = await claimByCode(room, till.businessId, code, steps, at)
  if (claim) await giveBack(tries)
  return claim
}

/**
 * A QR code names its claim by 74 random bits, so it is a guess at that claim alone: only codes that the claim never shows
 * are limited, per claim. An old code (a screenshot) is no guess. Each business has a limit of its own, so that no other
 * business can use it up.
 */
async function claimOfPayload(
  room: RedemptionRoom,
  till: Till,
  text: string,
  steps: number[],
  at: Temporal.Instant,
): Promise<store.ClaimRow | null> {
  const payload = readPayload(text)
  const claim = payload && (await store.findClaim(room.db, payload.claimId, asDate(at)))
  if (!claim) return null
  const tries: Try[] = [[room.limits.wrongOfClaim, `${claim.claim_id} at ${till.businessId}`]]
  const waitS = await takeTry(tries)
  if (waitS > 0) throw tooManyUntil(waitS)
  const isGood = showsCode(room, claim, payload.code, steps)
  if (isGood || everShowsCode(room, claim, payload.code)) await giveBack(tries)
  return isGood ? claim : null
}

type Try = readonly [limiter: Limiter, key: string]

/** Counts a try before the code is checked, so that parallel guesses get no more tries. @returns seconds to wait, or 0 */
async function takeTry(tries: Try[]): Promise<number> {
  const waits = await Promise.all(tries.map(([limiter, key]) => limiter.take(key)))
  const waitS = Math.max(...waits)
  if (waitS > 0) await giveBack(tries.filter((_, at) => waits[at] === 0))
  return waitS
}

const giveBack = (tries: Try[]) => Promise.all(tries.map(([limiter, key]) => limiter.giveBack(key)))

const validSteps = (at: Temporal.Instant, isOffline: boolean) => [
  stepAt(at),
  stepAt(at) - 1,
  ...(isOffline ? [stepAt(at) + 1] : []),
]

/** Null: the slot was freed, or its key is no longer valid. */
function codesShown(room: RedemptionRoom, claim: store.ClaimRow, steps: number[]): string[] | null {
  const key = keyOfClaim(room, claim)
  const { slot } = claim
  return slot === null || !key ? null : steps.map((step) => codesOf(key, slot, step, 1))
}

const showsCode = (room: RedemptionRoom, claim: store.ClaimRow, code: string, steps: number[]): boolean =>
  codesShown(room, claim, steps)?.includes(code) ?? false

/** Whether the claim shows this code at some time before it expires: up to 2,881 of a million codes. */
function everShowsCode(room: RedemptionRoom, claim: store.ClaimRow, code: string): boolean {
  const key = keyOfClaim(room, claim)
  if (claim.slot === null || !key) return false
  const first = stepAt(Temporal.Instant.from(claim.claimed_at))
  const count = stepAt(Temporal.Instant.from(claim.expires_at)) - first + 1
  const codes = codesOf(key, claim.slot, first, count)
  for (let index = 0; index < codes.length; index += code.length) if (codes.startsWith(code, index)) return true
  return false
}

/** Whether this code was the claim's at the instant; true if that can no longer be checked. */
export function isCodeOf(room: RedemptionRoom, given: GivenCode, claim: store.ClaimRow, at: Temporal.Instant): boolean {
  if (given.ticket !== undefined) return ticketParts(room, given.ticket)?.claimId === claim.claim_id
  const payload = given.payload === undefined ? null : readPayload(given.payload)
  if (given.payload !== undefined && payload?.claimId !== claim.claim_id) return false
  return codesShown(room, claim, validSteps(at, true))?.includes(payload?.code ?? typed(given)) ?? true
}

/** Null: not one of our QR codes. */
function readPayload(payload: string): { claimId: string; code: string } | null {
  const [, hex = '', code = ''] = /^RK1:([0-9A-F]{32}):(\d{6})$/i.exec(payload.trim()) ?? []
  if (!hex) return null
  return { claimId: hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), code }
}

const typed = ({ code = '' }: GivenCode) => code.replace(/\s/g, '')

/** Within a step, no two claims of a business share a code. The current step goes first. */
async function claimByCode(
  room: RedemptionRoom,
  businessId: string,
  code: string,
  steps: number[],
  at: Temporal.Instant,
) {
  if (!isCode(code)) return null
  for (const step of steps)
    for (const { key, print } of codeKeys(room, businessId)) {
      const claim = await store.findClaimBySlot(room.db, businessId, slotOf(key, code, step), print, asDate(at))
      if (claim) return claim
    }
  return null
}

/** A signed ticket: redeems the code that was read, while the amount is typed. */
export function writeTicket({ keyring }: RedemptionRoom, till: Till, { claimId, dealId, readAt }: ReadCode): string {
  const parts = [claimId, dealId, till.businessId, readAt.epochMilliseconds]
  return signed(keyring, 'redemption tickets', parts.join('.'))
}

/** Null for a ticket that is not ours. */
function ticketParts({ keyring }: RedemptionRoom, ticket: string): (ReadCode & { businessId: string }) | null {
  const [claimId = '', dealId = '', businessId = '', ms = ''] =
    readSigned(keyring, 'redemption tickets', ticket)?.split('.') ?? []
  if (!isUuid(claimId)) return null
  return { claimId, dealId, businessId, readAt: Temporal.Instant.fromEpochMilliseconds(Number(ms)) }
}

function readTicket(room: RedemptionRoom, till: Till, ticket: string): ReadCode {
  const parts = ticketParts(room, ticket)
  if (parts?.businessId !== till.businessId) throw new Refusal(codeUnknown)
  const { claimId, dealId, readAt } = parts
  const isOver = Temporal.Instant.compare(readAt.add({ minutes: ticketMinutes }), room.clock.now()) < 0
  if (isOver) throw new Refusal(codeUnknown)
  return { claimId, dealId, readAt }
}
