import { businessLeaving, businessSuspended } from '../../businesses/contract.ts'
import { isPictureOf, lockMerchant } from '../../businesses/server/merchant.ts'
import { asDate } from '../../kit/server/clock.ts'
import { idOf, newId } from '../../kit/server/ids.ts'
import { expectVersion, knownCaller, type RequestContext } from '../../kit/server/serve-endpoint.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { forbidden, Refusal } from '../../kit/shared/refusal.ts'
import { dealNotFound, type OwnDeal } from '../contract.ts'
import {
  dealHidden,
  dealIsOver,
  dealLimitReached,
  dealNotPublished,
  mostDeals,
  tooManyDeals,
  type copyDeals as copyDealsEndpoint,
  type createDeal as createDealEndpoint,
  type DealChanges,
  type SavedDeal,
} from '../contract/editing.ts'
import { activeDealLimits, isOver, isPublic, publishingBar, takesPlace } from '../policy.ts'
import {
  changedContent,
  invalidField,
  isSameContent,
  newContent,
  changesNothing,
  withoutStruckPrice,
} from './deal-content.ts'
import { newDealAnswer, ownDealAnswers } from './own-deals.ts'
import * as store from './store.ts'
import {
  atDesk,
  limitNotice,
  overNotice,
  noticeAnswer,
  noticeOf,
  type AddedDeal,
  type Desk,
  type EditingRoom,
} from './desk.ts'
import { dealFacts } from '../limits.ts'

export type { EditingRoom, PausedDeals } from './desk.ts'

/**
 * Creates a deal, published unless `draft`. It becomes a draft with a notice while the merchant cannot publish or all places of
 * the tier are taken.
 * @throws `invalid_input`, `too_many_deals`
 */
export async function createDeal(
  room: EditingRoom,
  { draft, ...body }: CheckedInput<typeof createDealEndpoint>['body'],
  asking: RequestContext,
): Promise<SavedDeal> {
  const made = await atDesk(room, asking, async (desk) => {
    await refusePictureOfOthers(desk, body, null)
    const content = changedContent(newContent(desk.merchant), body, contentRules(desk, desk.now))
    const wanted = { ...content.deal, state: draft ? ('draft' as const) : ('published' as const) }
    const added = (await corrected(desk, wanted)) ?? (await addDeal(desk, wanted, []))
    const isShown = added.row.status !== 'draft'
    return { ...added, notice: added.notice ?? (isShown ? overNotice(desk, added.row) : null) }
  })
  return { ...newDealAnswer(made.row), ...noticeAnswer(made) }
}

/**
 * Changes a deal. A new end can bring an expired deal back; it is paused where it cannot be published.
 * @throws `invalid_input`, `deal_not_found`, `forbidden`, `changed_meanwhile`
 */
export async function updateDeal(
  room: EditingRoom,
  dealId: string,
  changes: DealChanges,
  asking: RequestContext,
): Promise<SavedDeal> {
  const saved = await atDesk(room, asking, async (desk) => {
    const deal = await ownDealAt(desk, dealId)
    // a retry after a lost answer names the version before its own save: no conflict if it changes nothing
    if (!changesNothing(deal, changes, room.zone)) expectVersion(asking, deal.updated_at)
    await refusePictureOfOthers(desk, changes, deal.image_url)
    const content = changedContent(deal, changes, contentRules(desk, new Date(deal.created_at)))
    const changed = { ...deal, ...content.deal }
    const isBack = takesPlace(changed, desk.now) && !takesPlace(deal, desk.now)
    const bar = isBack ? barOf(desk) : null
    const limit = isBack && bar === null ? await limitReached(desk) : null
    if (bar !== null || limit !== null) changed.state = 'paused'
    await write(desk, changed, deal.updated_at)
    const notice = bar
      ? noticeOf(desk, bar)
      : limit !== null
        ? limitNotice(desk, 'pausedByLimit', limit)
        : content.struckPriceDropped
          ? noticeOf(desk, 'struckDropped')
          : changes.ends_at !== undefined && changed.state !== 'draft' && changed.state !== 'archived'
            ? overNotice(desk, changed)
            : null
    return { dealId: deal.deal_id, notice }
  })
  return { ...(await oneOwnDeal(room, saved.dealId)), ...noticeAnswer(saved) }
}

/** @throws deal_not_found, forbidden */
export async function archiveDeal(room: EditingRoom, dealId: string, asking: RequestContext): Promise<null> {
  return atDesk(room, asking, async (desk) => {
    const deal = await ownDealAt(desk, dealId)
    if (deal.state !== 'archived') await write(desk, { ...deal, state: 'archived' }, deal.updated_at)
    return null
  })
}

/** @throws deal_not_found, forbidden, deal_not_published */
export async function pauseDeal(room: EditingRoom, dealId: string, asking: RequestContext): Promise<OwnDeal> {
  await atDesk(room, asking, async (desk) => {
    const deal = await ownDealAt(desk, dealId)
    if (deal.state === 'draft' || deal.state === 'archived') throw new Refusal(dealNotPublished)
    if (deal.state === 'published') await write(desk, { ...deal, state: 'paused' }, deal.updated_at)
  })
  return oneOwnDeal(room, dealId)
}

/**
 * Publishes a draft, or a paused or archived deal again. For sorting, a draft counts as created now.
 * @throws `deal_not_found`, `forbidden`, `business_suspended`, `business_leaving`, `deal_is_over`, `deal_limit_reached`
 */
export async function resumeDeal(room: EditingRoom, dealId: string, asking: RequestContext): Promise<OwnDeal> {
  await atDesk(room, asking, async (desk) => {
    const deal = await ownDealAt(desk, dealId)
    if (deal.state === 'published') return
    refuseHiddenMerchant(desk)
    if (isOver(deal, desk.now)) throw new Refusal(dealIsOver)
    const limit = await limitReached(desk)
    if (limit !== null)
      throw new Refusal(dealLimitReached, { values: { limit, tier: desk.merchant.subscription_tier } })
    const isNew = deal.state === 'draft'
    const published = { ...deal, state: 'published' as const }
    await write(desk, isNew ? { ...published, created_at: desk.now.toISOString() } : published, deal.updated_at)
    if (isNew) await announcePublished(desk, deal.deal_id)
  })
  return oneOwnDeal(room, dealId)
}

/**
 * Takes a deal out of the archive without publishing it. A deal that is not archived stays as it is.
 * @throws `deal_not_found`, `forbidden`, `too_many_deals`
 */
export async function restoreDeal(
  room: EditingRoom,
  dealId: string,
  state: 'draft' | 'paused',
  asking: RequestContext,
): Promise<OwnDeal> {
  await atDesk(room, asking, async (desk) => {
    const deal = await ownDealAt(desk, dealId)
    if (deal.state !== 'archived') return
    if ((await store.countUnarchivedDealsOf(desk.trx, desk.businessId)) >= mostDeals)
      throw new Refusal(tooManyDeals, { values: { max: mostDeals } })
    await write(desk, { ...deal, state }, deal.updated_at)
  })
  return oneOwnDeal(room, dealId)
}

/** @throws deal_not_found, forbidden, too_many_deals */
export async function duplicateDeal(room: EditingRoom, dealId: string, asking: RequestContext): Promise<SavedDeal> {
  const made = await atDesk(room, asking, async (desk) => {
    const deal = await ownDealAt(desk, dealId)
    return addDeal(desk, { ...deal, state: 'draft' }, [deal.deal_id])
  })
  return { ...newDealAnswer(made.row), ...noticeAnswer(made) }
}

/**
 * Copies several deals to `days` later, at the same time of day at the festival. A copy is a draft where the merchant cannot
 * publish it, where it would be over already, and where the deal has no start or no end: both would be shown at once.
 * @throws `deal_not_found`, `forbidden`, `too_many_deals`
 */
export async function copyDeals(
  room: EditingRoom,
  { deal_ids, days }: CheckedInput<typeof copyDealsEndpoint>['body'],
  asking: RequestContext,
): Promise<{ deals: OwnDeal[]; notice: string | null }> {
  const made = await atDesk(room, asking, async (desk) => {
    const copies: AddedDeal[] = []
    for (const id of new Set(deal_ids)) {
      const deal = await ownDealAt(desk, id)
      const later = (instant: string | null) =>
        instant === null ? null : laterBy(days, instant, room.zone).toString({ fractionalSecondDigits: 3 })
      const moved = { ...deal, starts_at: later(deal.starts_at), ends_at: later(deal.ends_at) }
      const isDated = moved.starts_at !== null && moved.ends_at !== null
      const copy = withoutStruckPrice(moved, desk.now, room.zone)
      copies.push(
        await addDeal(
          desk,
          { ...copy, state: isDated && !isOver(moved, desk.now) && deal.state !== 'draft' ? 'published' : 'draft' },
          [deal.deal_id, days],
        ),
      )
    }
    return copies
  })
  return {
    deals: made.map(({ row }) => newDealAnswer(row)),
    notice: made.find(({ notice }) => notice !== null)?.notice?.text ?? null,
  }
}

/** Deals named in the mail about paused deals. */
const namedMost = 10

/** Pauses the newest deals beyond the places of the tier. Safe to repeat. */
export async function pauseSurplus(room: EditingRoom, businessId: string): Promise<void> {
  await room.db.transaction().execute(async (trx) => {
    const merchant = await lockMerchant(trx, businessId)
    const places = merchant && activeDealLimits[merchant.subscription_tier]
    if (!merchant || places == null) return
    const names = await store.pauseBeyond(trx, businessId, places, asDate(room.clock.now()))
    if (names.length === 0) return
    const tier = merchant.subscription_tier
    await room.announcePaused(trx, { businessId, tier, places, n: names.length, names: names.slice(0, namedMost) })
  })
}

/**
 * Adds a deal under a new id; a draft where it cannot be published. With `source`, a repeated `Idempotency-Key` for the same source
 * answers the deal that was added then. @throws `too_many_deals`
 */
async function addDeal(desk: Desk, content: store.DealContent, source?: unknown[]): Promise<AddedDeal> {
  const { trx, now, businessId, merchant, asking } = desk
  const bar = content.state === 'published' ? barOf(desk) : null
  const wanted = bar === null ? content.state : 'draft'
  const places = activeDealLimits[merchant.subscription_tier]
  const key = source && asking.idempotencyKey
  const deal_id = key ? idOf([businessId, key, ...source]) : newId()
  const limited = () => (places === null ? null : limitNotice(desk, 'draftByLimit', places))
  const written = now.toISOString()
  const row = await store.addDeal(
    trx,
    {
      ...content,
      state: wanted,
      deal_id,
      business_id: businessId,
      created_at: written,
      updated_at: written,
    },
    { now, places, most: mostDeals },
  )
  if (!row) {
    const before = key ? await store.findOwnDeal(trx, deal_id, now) : undefined
    if (!before) throw new Refusal(tooManyDeals, { values: { max: mostDeals } })
    const isHeld = content.state === 'published' && before.status === 'draft'
    return { row: before, notice: !isHeld ? null : bar ? noticeOf(desk, bar) : limited() }
  }
  if (row.state === 'published') await announcePublished(desk, row.deal_id)
  return { row, notice: bar ? noticeOf(desk, bar) : row.state !== wanted ? limited() : null }
}

/**
 * A retry of `createDeal` after a lost answer, perhaps with corrected fields: the deal with this key takes them, so that there is
 * no second one. null: no deal has the key, or it was changed since.
 */
async function corrected(desk: Desk, content: store.DealContent): Promise<AddedDeal | null> {
  const { trx, now, businessId, asking } = desk
  const key = asking.idempotencyKey
  const before = key ? await store.lockDeal(trx, idOf([businessId, key]), now) : undefined
  if (!before || before.updated_at !== before.created_at) return null
  if (before.state !== 'draft' && before.state !== 'published') return null
  const bar = content.state === 'published' ? barOf(desk) : null
  const deal = { ...before, ...content }
  if (bar) deal.state = 'draft'
  const limit = takesPlace(deal, now) && !takesPlace(before, now) ? await limitReached(desk) : null
  if (limit !== null) deal.state = 'draft'
  if (!isSameContent(deal, before)) {
    const written = new Date(Math.max(now.getTime(), Date.parse(before.updated_at) + 1)).toISOString()
    // created_at equals updated_at again, so that another correction can follow
    await store.writeDeal(trx, { ...deal, created_at: written, updated_at: written })
    if (deal.state === 'published' && before.state === 'draft') await announcePublished(desk, deal.deal_id)
  }
  const row = (await store.findOwnDeal(trx, deal.deal_id, now))!
  return { row, notice: bar ? noticeOf(desk, bar) : limit === null ? null : limitNotice(desk, 'draftByLimit', limit) }
}

const barOf = ({ merchant, asking }: Desk) =>
  publishingBar({ ...merchant, mustConfirm: knownCaller(asking).mustVerify })

/** The number of places if all are taken; else null. */
async function limitReached({ trx, businessId, merchant, now }: Desk): Promise<number | null> {
  const limit = activeDealLimits[merchant.subscription_tier]
  if (limit === null) return null
  const active = await store.countActiveDealsOf(trx, businessId, now)
  return active >= limit ? limit : null
}

/** `updated_at` is the version, so each must be later than the last. */
async function write({ trx, now }: Desk, deal: store.WrittenDeal, last: string): Promise<void> {
  const written = new Date(Math.max(now.getTime(), Date.parse(last) + 1)).toISOString()
  await store.writeDeal(trx, { ...deal, updated_at: written })
}

/**
 * An own deal of the merchant, locked.
 * @throws `forbidden` for a public deal of another merchant, `deal_not_found` for others, `deal_hidden` and why the merchant is hidden
 */
async function ownDealAt({ trx, businessId, merchant, now }: Desk, dealId: string): Promise<store.WrittenDeal> {
  const deal = isUuid(dealId) ? await store.lockDeal(trx, dealId, now) : undefined
  if (!deal) throw new Refusal(dealNotFound)
  if (deal.business_id !== businessId) throw new Refusal(isPublic(deal.state) ? forbidden : dealNotFound)
  if (deal.state === 'hidden') {
    refuseHiddenMerchant({ merchant })
    throw new Refusal(dealHidden)
  }
  return deal
}

/** @throws `business_suspended`, `business_leaving` */
function refuseHiddenMerchant({ merchant }: Pick<Desk, 'merchant'>): void {
  if (merchant.is_suspended) throw new Refusal(businessSuspended)
  if (merchant.is_leaving) throw new Refusal(businessLeaving)
}

/** Only pictures that the merchant uploaded: deleting a deal deletes its picture. @throws `invalid_input` */
async function refusePictureOfOthers(desk: Desk, { image_url }: DealChanges, present: string | null): Promise<void> {
  if (image_url == null || image_url === present) return
  if (await isPictureOf(desk.trx, desk.businessId, image_url)) return
  throw invalidField('image_url', { key: 'picture_unknown' })
}

const announcePublished = ({ room, trx, businessId }: Desk, dealId: string) =>
  room.publishFact(trx, dealFacts.published, { deal_id: dealId, business_id: businessId })

const contentRules = ({ room }: Desk, created: Date) => ({ zone: room.zone, created })

async function oneOwnDeal(room: EditingRoom, dealId: string): Promise<OwnDeal> {
  const row = await store.findOwnDeal(room.db, dealId, asDate(room.clock.now()))
  if (!row) throw new Refusal(dealNotFound)
  return (await ownDealAnswers(room, [row]))[0]!
}

function laterBy(days: number, instant: string, zone: string): Temporal.Instant {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).add({ days }).toInstant()
}
