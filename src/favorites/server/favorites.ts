import { findBusinessName } from '../../businesses/server/businesses.ts'
import { findMerchant } from '../../businesses/server/merchant.ts'
import { asDate, secondsAgo } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import { pageByTime, type Page, type PageQuery } from '../../kit/server/page.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { removalRetentionDays } from '../../kit/shared/seconds-ago.ts'
import {
  dealsByIds,
  dealsForFigures,
  merchantsOfDeals,
  type DealActivity,
  type DealRoom,
} from '../../deals/server/deals.ts'
import { notify, withdraw, withdrawFromAll, type NotificationRoom } from '../../notifications/server/notifications.ts'
import { dealPage } from '../../site-map.ts'
import {
  favoriteRemovedLater,
  favoritesFull,
  favoritesMost,
  favoriteUnknown,
  kinds,
  previewMost,
  type Favorite,
  type Kind,
} from '../contract.ts'
import * as store from './store.ts'
import { keyOf, findFavorites, type Key } from './find-favorites.ts'

export interface FavoriteRoom extends DealRoom {
  notifications: NotificationRoom
  /** Adds a save or its removal to the deal's figures, in the same transaction. */
  count: (trx: Sql, happened: DealActivity) => Promise<void>
}

export async function listFavorites(
  room: FavoriteRoom,
  accountId: string,
  query: PageQuery & { kind?: Kind | undefined },
): Promise<Page<Favorite>> {
  const kind = query.kind ?? null
  return pageByTime(
    query,
    {
      list: (stretch) => store.listSaved(room.db, accountId, { ...stretch, kind }),
      count: () => store.countSaved(room.db, accountId, kind),
      placeOf: ({ saved_at, subject_id }) => [saved_at, subject_id],
    },
    async (rows) => {
      const things = await findFavorites(
        room,
        rows.map((row) => ({ kind: row.kind, id: row.subject_id })),
      )
      return rows.flatMap((row) => {
        const thing = things.get(keyOf({ kind: row.kind, id: row.subject_id }))
        return thing ? [{ ...thing, saved_at: row.saved_at.toISOString() }] : []
      })
    },
  )
}

export async function listFavoriteKeys(db: Sql, accountId: string): Promise<{ keys: string[] }> {
  const page = { kind: null, after: null, offset: 0, limit: favoritesMost }
  const rows = await store.listSaved(db, accountId, page)
  return { keys: rows.map(({ kind, subject_id: id }) => keyOf({ kind, id })) }
}

/** The favourites of a guest, in the order of the keys. `typed`: keys separated by commas; unreadable keys are ignored. */
export async function previewFavorites(room: FavoriteRoom, typed: string): Promise<Favorite[]> {
  const keys = readKeys(typed.split(',').slice(0, previewMost))
  const things = await findFavorites(room, keys)
  return keys.flatMap((key) => {
    const thing = things.get(keyOf(key))
    return thing ? [{ ...thing, saved_at: null }] : []
  })
}

/**
 * Saves a favourite; saving it twice is no error. `seconds`: how long ago it was tapped, because an offline device sends late. A late
 * addition does not bring back a favourite that was removed after the tap.
 * @throws `favorite_not_found`, `favorites_full`, `favorite_removed_later`
 */
export async function saveFavorite(
  room: FavoriteRoom,
  accountId: string,
  given: { kind: string; id: string },
  seconds: number,
): Promise<null> {
  const [key] = readKeys([`${given.kind}:${given.id}`])
  if (!key || (await findFavorites(room, [key])).size === 0) throw new Refusal(favoriteUnknown)
  const at = secondsAgo(room, seconds)
  return room.db.transaction().execute(async (trx) => {
    await store.lockFavorites(trx, accountId)
    if (await store.renewSaved(trx, accountId, key, at)) return null
    if (seconds > 0 && (await store.isRemovedSince(trx, accountId, key, at))) throw new Refusal(favoriteRemovedLater)
    if ((await store.countSaved(trx, accountId, null)) >= favoritesMost)
      throw new Refusal(favoritesFull, { values: { n: favoritesMost } })
    await insertSaved(room, trx, accountId, [key], at)
    return null
  })
}

/**
 * Removes a favourite, also one whose deal no longer exists. Removing one that is not saved is no error. The later tap wins: a removal
 * tapped `seconds` ago keeps a favourite that was saved after that, and a late addition tapped before the removal is refused.
 * @throws `favorite_not_found` for a malformed key
 */
export async function removeFavorite(
  room: FavoriteRoom,
  accountId: string,
  given: { kind: string; id: string },
  seconds: number,
): Promise<null> {
  const [key] = readKeys([`${given.kind}:${given.id}`])
  if (!key) throw new Refusal(favoriteUnknown)
  return room.db.transaction().execute(async (trx) => {
    await store.lockFavorites(trx, accountId)
    // a removal that is not late always deletes: instances' clocks may differ, so `saved_at` can lie ahead of now
    const removal = { removedAt: secondsAgo(room, seconds), staysIfSavedSince: seconds > 0 }
    const at = await store.deleteSaved(trx, accountId, key, removal)
    // a deleted deal has no figures
    const isThere = at && key.kind === 'deal' && (await merchantsOfDeals(trx, [key.id])).length > 0
    if (isThere) await room.count(trx, { what: 'saved', dealId: key.id, at, by: -1 })
    return null
  })
}

/** Saves favourites and counts them in the order of deal ids, so that two people who save the same deals at once cannot deadlock. */
async function insertSaved(room: FavoriteRoom, trx: Sql, accountId: string, keys: Key[], at: Date): Promise<void> {
  const saved = await store.insertSaved(trx, accountId, keys, at)
  const dealIds = saved.filter(({ kind }) => kind === 'deal').map(({ subject_id }) => subject_id)
  for (const dealId of dealIds.toSorted()) await room.count(trx, { what: 'saved', dealId, at, by: 1 })
}

/** Deletes stored removals once no late addition can be that old. Run daily. */
export const forgetRemovals = ({ db, clock }: Pick<FavoriteRoom, 'db' | 'clock'>): Promise<void> =>
  store.deleteRemovalsBefore(db, asDate(clock.now().subtract({ hours: removalRetentionDays * 24 })))

/** Adds the favourites a guest saved on this device to the account. Deleted things, and those beyond the limit, are left out. */
export async function mergeFavorites(
  room: FavoriteRoom,
  accountId: string,
  typed: string[],
): Promise<{ keys: string[] }> {
  const keys = readKeys(typed)
  const things = await findFavorites(room, keys)
  await room.db.transaction().execute(async (trx) => {
    await store.lockFavorites(trx, accountId)
    const saved = new Set((await listFavoriteKeys(trx, accountId)).keys)
    const fresh = keys.filter((key) => things.has(keyOf(key)) && !saved.has(keyOf(key)))
    await insertSaved(room, trx, accountId, fresh.slice(0, favoritesMost - saved.size), asDate(room.clock.now()))
  })
  return listFavoriteKeys(room.db, accountId)
}

/** The well-formed keys, each once. */
function readKeys(typed: string[]): Key[] {
  const keys = typed.flatMap((each) => {
    const [kind, id = ''] = each.trim().split(':')
    return kinds.includes(kind as Kind) && isUuid(id) ? [{ kind: kind as Kind, id: id.toLowerCase() }] : []
  })
  return [...new Map(keys.map((key) => [keyOf(key), key])).values()]
}

const saversAtOnce = 1000

/** Notification groups: the unread notifications of a group are shown as one. */
const groupOfNewDeals = (businessId: string) => `deals-of:${businessId}`
const groupOfFreedDeal = (dealId: string) => `freed:${dealId}`

/** Notifies everybody who saved the merchant of a new deal. A repeated run notifies nobody twice. */
export async function notifyOfNewDeal(room: FavoriteRoom, dealId: string): Promise<void> {
  const [deal] = await dealsByIds(room, [dealId])
  // the deal was paused or ended before this job ran
  if (!deal || (deal.status !== 'active' && deal.status !== 'scheduled')) return
  const business = deal.business_name || (await findBusinessName(room.db, deal.business_id))
  await notifySavers(
    room,
    { kind: 'business', id: deal.business_id },
    {
      type: 'deal_published',
      once: `favorites:${deal.deal_id}:published`,
      group: groupOfNewDeals(deal.business_id),
      values: { business, deal: deal.deal_name },
      path: dealPage(deal.deal_id),
    },
  )
}

/** The notification expires after this time: the freed deal is probably claimed again by then. */
const freedForMinutes = 30

/** Notifies everybody who saved a sold-out deal that it can be claimed again. Saving such a deal is its waiting list. */
export async function notifyOfFreedDeal(room: FavoriteRoom, dealId: string, once: string): Promise<void> {
  const [deal] = await dealsByIds(room, [dealId])
  if (deal?.status !== 'active') return
  await notifySavers(
    room,
    { kind: 'deal', id: dealId },
    {
      type: 'deal_freed',
      once: `favorites:${dealId}:freed:${once}`,
      group: groupOfFreedDeal(dealId),
      values: { business: deal.business_name, deal: deal.deal_name },
      path: dealPage(dealId),
      goodUntil: room.clock.now().add({ minutes: freedForMinutes }),
    },
  )
}

/** Notifies the people who saved a deal or merchant, in steps, each in a transaction of its own. */
const notifySavers = (
  room: FavoriteRoom,
  { kind, id }: Key,
  notice: Omit<Parameters<typeof notify>[2], 'accountIds'>,
) =>
  inSteps(saversAtOnce, async (step) => {
    const accountIds = await store.accountsThatSaved(room.db, kind, id, step)
    await room.db.transaction().execute((trx) => notify(room.notifications, trx, { ...notice, accountIds }))
    return accountIds
  })

/** Withdraws the notifications of a deal that staff hid, with queued mails and pushes. Does nothing if the deal is visible again. */
export async function withdrawDeal(room: FavoriteRoom, dealId: string, businessId: string): Promise<void> {
  const [isShown] = await dealsByIds(room, [dealId])
  if (isShown) return
  const which = { group: groupOfNewDeals(businessId), path: dealPage(dealId) }
  await room.db.transaction().execute((trx) => withdraw(room.notifications, trx, which))
  await withdrawFromAll(room.notifications, { group: groupOfFreedDeal(dealId) })
}

/** Withdraws the notifications of all deals of a merchant who is suspended or leaving. One transaction per group holds few locks. */
export async function withdrawHidden(room: FavoriteRoom, businessId: string): Promise<void> {
  const merchant = await findMerchant(room.db, businessId)
  if (!merchant?.is_suspended && !merchant?.is_leaving) return
  for (const group of await noticeGroupsOf(room.db, businessId)) await withdrawFromAll(room.notifications, { group })
}

/** Withdraws all notifications about a merchant whose account is deleted. */
export async function withdrawMerchant(
  { notifications }: Pick<FavoriteRoom, 'notifications'>,
  trx: Sql,
  businessId: string,
): Promise<void> {
  for (const group of await noticeGroupsOf(trx, businessId)) await withdraw(notifications, trx, { group })
}

async function noticeGroupsOf(db: Sql, businessId: string): Promise<string[]> {
  const deals = await dealsForFigures(db, businessId, 10_000)
  return [groupOfNewDeals(businessId), ...deals.map(({ deal_id }) => groupOfFreedDeal(deal_id))]
}

export { countBusinessSavers, countFans, countSavesOf, savedBusinesses } from './store.ts'
