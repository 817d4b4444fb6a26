import { timingSafeEqual } from 'node:crypto'
import { asDate } from '../../kit/server/clock.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal, tooManyUntil } from '../../kit/shared/refusal.ts'
import { codeUnknown, ticketMinutes, wrongBusiness } from '../contract.ts'
import { readPayload } from './payload.ts'
import { codeKeys, type RedemptionRoom } from './room.ts'
import { codesOf, isCode, slotOf, stepAt } from './rotating-codes.ts'
import * as store from './store.ts'
import type { Till } from './tills.ts'

/** A code in one of its three forms. */
export interface GivenCode {
  code?: string | undefined
  payload?: string | undefined
  ticket?: string | undefined
}

/** The claim that a code stood for, and when it was read. */
export interface ReadCode {
  claimId: string
  dealId: string
  readAt: Temporal.Instant
}

/**
 * The claim that shows this code at this instant: the code of the running step and of the one before are good, and the one
 * after for a scan that a till has kept (`isKept`), because its clock may be some seconds behind. Each try is
 * counted before it is looked at, against business, device and deal, and given back when the code was right or another
 * limit refuses the try; devices that nobody registered count as one. A deal counts tries of its own business alone, so
 * that no other one can block it.
 * Throws `code_unknown`, `wrong_business`, `too_many_requests`.
 */
export async function readCode(
  room: RedemptionRoom,
  till: Till,
  given: GivenCode,
  at: Temporal.Instant,
  isKept = false,
): Promise<ReadCode> {
  if (given.ticket !== undefined) return readTicket(room, till, given.ticket)
  const payload = given.payload === undefined ? null : readPayload(given.payload)
  const claimed = payload && (await store.findClaim(room.db, payload.claimId, asDate(at)))
  const tries = [
    [room.limits.wrongOfBusiness, till.businessId] as const,
    [room.limits.wrongOfDevice, till.tillId ?? `others of ${till.businessId}`] as const,
    ...(claimed?.business_id === till.businessId ? [[room.limits.wrongOfDeal, claimed.deal_id] as const] : []),
  ]
  const waits = await Promise.all(tries.map(([limiter, key]) => limiter.take(key)))
  const waitS = Math.max(...waits)
  if (waitS > 0) {
    await Promise.all(tries.filter((_, at) => waits[at] === 0).map(([limiter, key]) => limiter.giveBack(key)))
    throw tooManyUntil(waitS)
  }
  const claim = payload
    ? claimed && showsCode(room, claimed, payload.code, goodSteps(at, isKept))
      ? claimed
      : null
    : await claimByCode(room, till.businessId, typed(given), at, isKept)
  if (!claim) throw new Refusal(codeUnknown)
  await Promise.all(tries.map(([limiter, key]) => limiter.giveBack(key)))
  if (claim.business_id !== till.businessId) throw new Refusal(wrongBusiness)
  return { claimId: claim.claim_id, dealId: claim.deal_id, readAt: at }
}

const goodSteps = (at: Temporal.Instant, isKept: boolean) => [
  stepAt(at),
  stepAt(at) - 1,
  ...(isKept ? [stepAt(at) + 1] : []),
]

/** Null where nobody can tell any more. */
function codesShown(room: RedemptionRoom, claim: store.ClaimRow, steps: number[]): string[] | null {
  const { slot, key_print, business_id } = claim
  const key = codeKeys(room, business_id).find(({ print }) => key_print?.equals(print))?.key
  return slot === null || !key ? null : steps.map((step) => codesOf(key, slot, step, 1))
}

const showsCode = (room: RedemptionRoom, claim: store.ClaimRow, code: string, steps: number[]): boolean =>
  codesShown(room, claim, steps)?.includes(code) ?? false

/** Whether this is what a claim was read from at the instant, whatever became of it since. */
export function isCodeOf(room: RedemptionRoom, given: GivenCode, claim: store.ClaimRow, at: Temporal.Instant): boolean {
  if (given.ticket !== undefined) return ticketParts(room, given.ticket)?.claimId === claim.claim_id
  const payload = given.payload === undefined ? null : readPayload(given.payload)
  if (given.payload !== undefined && payload?.claimId !== claim.claim_id) return false
  return codesShown(room, claim, goodSteps(at, true))?.includes(payload?.code ?? typed(given)) ?? true
}

const typed = ({ code = '' }: GivenCode) => code.replace(/\s/g, '')

/** No two claims of a business share a code within a step, so there is at most one; the running step goes first. */
async function claimByCode(
  room: RedemptionRoom,
  businessId: string,
  code: string,
  at: Temporal.Instant,
  isKept: boolean,
) {
  if (!isCode(code)) return null
  for (const step of goodSteps(at, isKept))
    for (const { key, print } of codeKeys(room, businessId)) {
      const claim = await store.findClaimBySlot(room.db, businessId, slotOf(key, code, step), print, asDate(at))
      if (claim) return claim
    }
  return null
}

/** What a code was read as stays good while the amount is typed. */
export function writeTicket({ keyring }: RedemptionRoom, till: Till, { claimId, dealId, readAt }: ReadCode): string {
  const said = [claimId, dealId, till.businessId, readAt.epochMilliseconds].join('.')
  return `${said}.${keyring.mac('redemption tickets', said).toString('base64url')}`
}

/** Null for a ticket that is not ours. */
function ticketParts({ keyring }: RedemptionRoom, ticket: string): (ReadCode & { businessId: string }) | null {
  const said = ticket.slice(0, ticket.lastIndexOf('.'))
  const mac = Buffer.from(ticket.slice(said.length + 1), 'base64url')
  const [claimId = '', dealId = '', businessId = '', ms = ''] = said.split('.')
  const isOurs = keyring
    .macs('redemption tickets', said)
    .some((ours) => ours.length === mac.length && timingSafeEqual(ours, mac))
  if (!isOurs || !isUuid(claimId)) return null
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
