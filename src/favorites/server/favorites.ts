import { findBusinessName } from '../../businesses/server/businesses.ts'
import { merchantOf } from '../../businesses/server/merchant.ts'
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
  type DealHappening,
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
import { keyOf, thingsOf, type Key } from './things.ts'

export interface FavoriteRoom extends DealRoom {
  notifications: NotificationRoom
  /** For figures of deals, in the transaction of what happened. */
  count: (trx: Sql, happened: DealHappening) => Promise<void>
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
      const things = await thingsOf(
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

export async function keysOf({ db }: { db: Sql }, accountId: string): Promise<{ keys: string[] }> {
  const page = { kind: null, after: null, offset: 0, limit: favoritesMost }
  const rows = await store.listSaved(db, accountId, page)
  return { keys: rows.map(({ kind, subject_id: id }) => keyOf({ kind, id })) }
}

/** What a guest has saved, in the order of the keys. */
export async function preview(room: FavoriteRoom, typed: string): Promise<Favorite[]> {
  const keys = readKeys(typed.split(',').slice(0, previewMost))
  const things = await thingsOf(room, keys)
  return keys.flatMap((key) => {
    const thing = things.get(keyOf(key))
    return thing ? [{ ...thing, saved_at: null }] : []
  })
}

/**
 * Saved twice it is saved once. An addition that is sent late does not bring back what was removed after it. Throws `favorite_not_found`,
 * `favorites_full`, `favorite_removed_later`.
 */
export async function save(
  room: FavoriteRoom,
  accountId: string,
  given: { kind: string; id: string },
  seconds: number,
): Promise<null> {
  const [key] = readKeys([`${given.kind}:${given.id}`])
  if (!key || (await thingsOf(room, [key])).size === 0) throw new Refusal(favoriteUnknown)
  const at = secondsAgo(room, seconds)
  return room.db.transaction().execute(async (trx) => {
    await store.lockFavorites(trx, accountId)
    const isThere = await store.isSaved(trx, accountId, key.kind, key.id)
    if (!isThere && seconds > 0 && (await store.isRemovedSince(trx, accountId, key, at)))
      throw new Refusal(favoriteRemovedLater)
    if (!isThere && (await store.countSaved(trx, accountId, null)) >= favoritesMost)
      throw new Refusal(favoritesFull, { values: { n: favoritesMost } })
    if (isThere) await store.renewSaved(trx, accountId, key, at)
    else await insertSaved(room, trx, accountId, [key], at)
    return null
  })
}

/**
 * Also what is gone meanwhile can be removed, and what was never saved: an addition that was tapped before and comes after it is refused.
 * Of a removal that is sent late, what was saved again since then stays. Throws `favorite_not_found` for what is no key.
 */
export async function remove(
  room: FavoriteRoom,
  accountId: string,
  given: { kind: string; id: string },
  seconds: number,
): Promise<null> {
  const [key] = readKeys([`${given.kind}:${given.id}`])
  if (!key) throw new Refusal(favoriteUnknown)
  return room.db.transaction().execute(async (trx) => {
    await store.lockFavorites(trx, accountId)
    // a removal that is sent at once always counts: the clocks of instances may differ
    const removal = { removedAt: secondsAgo(room, seconds), staysIfSavedSince: seconds > 0 }
    const at = await store.deleteSaved(trx, accountId, key, removal)
    // a deal that is gone has no figures any more
    const isThere = at && key.kind === 'deal' && (await merchantsOfDeals(trx, [key.id])).length > 0
    if (isThere) await room.count(trx, { what: 'saved', dealId: key.id, at, by: -1 })
    return null
  })
}

/** In the order of their ids, so that of two who save the same deals at once one waits for the other. */
async function insertSaved(room: FavoriteRoom, trx: Sql, accountId: string, keys: Key[], at: Date): Promise<void> {
  const saved = await store.insertSaved(trx, accountId, keys, at)
  const dealIds = saved.filter(({ kind }) => kind === 'deal').map(({ subject_id }) => subject_id)
  for (const dealId of dealIds.toSorted()) await room.count(trx, { what: 'saved', dealId, at, by: 1 })
}

/** Removals of which no addition comes as late any more. Run daily. */
export const forgetRemovals = ({ db, clock }: Pick<FavoriteRoom, 'db' | 'clock'>): Promise<void> =>
  store.deleteRemovalsBefore(db, asDate(clock.now().subtract({ hours: removalRetentionDays * 24 })))

/** Brings along what a phone has saved before the login. What is gone or beyond the limit is left out. */
export async function merge(room: FavoriteRoom, accountId: string, typed: string[]): Promise<{ keys: string[] }> {
  const keys = readKeys(typed)
  const things = await thingsOf(room, keys)
  await room.db.transaction().execute(async (trx) => {
    await store.lockFavorites(trx, accountId)
    const saved = new Set((await keysOf({ db: trx }, accountId)).keys)
    const fresh = keys.filter((key) => things.has(keyOf(key)) && !saved.has(keyOf(key)))
    await insertSaved(room, trx, accountId, fresh.slice(0, favoritesMost - saved.size), asDate(room.clock.now()))
  })
  return keysOf(room, accountId)
}

/** What is no key is left out; each is there once. */
function readKeys(typed: string[]): Key[] {
  const keys = typed.flatMap((each) => {
    const [kind, id = ''] = each.trim().split(':')
    return kinds.includes(kind as Kind) && isUuid(id) ? [{ kind: kind as Kind, id: id.toLowerCase() }] : []
  })
  return [...new Map(keys.map((key) => [keyOf(key), key])).values()]
}

const saversAtOnce = 1000

/** Groups of notices. */
const newsOfMerchant = (businessId: string) => `deals-of:${businessId}`
const newsOfDeal = (dealId: string) => `freed:${dealId}`

/** Who saved the merchant hears of a new deal, once; several that are unread are one notification. */
export async function tellOfDeal(room: FavoriteRoom, dealId: string): Promise<void> {
  const [deal] = await dealsByIds(room, [dealId])
  // paused or over before its turn came
  if (!deal || (deal.status !== 'active' && deal.status !== 'scheduled')) return
  const business = deal.business_name || (await findBusinessName(room.db, deal.business_id))
  await inSteps(saversAtOnce, async (step) => {
    const accountIds = await store.whoSaved(room.db, 'business', deal.business_id, step)
    await room.db.transaction().execute((trx) =>
      notify(room.notifications, trx, {
        type: 'deal_published',
        accountIds,
        once: `favorites:${deal.deal_id}:published`,
        group: newsOfMerchant(deal.business_id),
        values: { business, deal: deal.deal_name },
        path: dealPage(deal.deal_id),
      }),
    )
    return accountIds
  })
}

/** So long it makes sense to hurry. */
const freedForMinutes = 30

/** Who saved a deal of which none was left hears that one is there again: the heart is its waiting list. */
export async function tellOfFreed(room: FavoriteRoom, dealId: string, once: string): Promise<void> {
  const [deal] = await dealsByIds(room, [dealId])
  if (deal?.status !== 'active') return
  await inSteps(saversAtOnce, async (step) => {
    const accountIds = await store.whoSaved(room.db, 'deal', dealId, step)
    await room.db.transaction().execute((trx) =>
      notify(room.notifications, trx, {
        type: 'deal_freed',
        accountIds,
        once: `favorites:${dealId}:freed:${once}`,
        group: newsOfDeal(dealId),
        values: { business: deal.business_name, deal: deal.deal_name },
        path: dealPage(dealId),
        goodUntil: room.clock.now().add({ minutes: freedForMinutes }),
      }),
    )
    return accountIds
  })
}

/** Staff have hidden the deal: nobody has news of it any more, and no mail or push of it leaves. What was shown again meanwhile stays. */
export async function withdrawDeal(room: FavoriteRoom, dealId: string, businessId: string): Promise<void> {
  const [isShown] = await dealsByIds(room, [dealId])
  if (isShown) return
  const which = { group: newsOfMerchant(businessId), path: dealPage(dealId) }
  await room.db.transaction().execute((trx) => withdraw(room.notifications, trx, which))
  await withdrawFromAll(room.notifications, { group: newsOfDeal(dealId) })
}

/** The same of a merchant who is suspended or leaving; group by group, as who reads holds all notices of a person. */
export async function withdrawHidden(room: FavoriteRoom, businessId: string): Promise<void> {
  const merchant = await merchantOf(room.db, businessId)
  if (!merchant?.is_suspended && !merchant?.is_leaving) return
  for (const group of await newsOf(room.db, businessId)) await withdrawFromAll(room.notifications, { group })
}

/** All news of a merchant whose account goes. */
export async function withdrawMerchant(
  { notifications }: Pick<FavoriteRoom, 'notifications'>,
  trx: Sql,
  businessId: string,
): Promise<void> {
  for (const group of await newsOf(trx, businessId)) await withdraw(notifications, trx, { group })
}

async function newsOf(db: Sql, businessId: string): Promise<string[]> {
  const deals = await dealsForFigures(db, businessId, 10_000)
  return [newsOfMerchant(businessId), ...deals.map(({ deal_id }) => newsOfDeal(deal_id))]
}

/** How often deals or merchants were saved, by id; for figures. */
export const { countSavesOf } = store

export { countFans } from './store.ts'
