import { isDeepStrictEqual } from 'node:util'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import type { FactOf } from './facts.ts'
import { NothingThere, ProviderFailed } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import * as store from './store.ts'
import { inTransaction } from './test-provider.ts'

type Snapshot = FactOf<'subscription'>

/** What the provider was asked about subscriptions, by their ids: an answer is newer than the stored snapshot `seen` before asking. */
export type AskedSnapshots = Map<string, { seen: string; fact: Snapshot | null }>

/** Two snapshots of one moment differ, so their times do not say which is newer. */
class SnapshotsTied extends Error {
  readonly subscription: string
  readonly seen: string

  constructor(subscription: string, seen: string) {
    super('Two snapshots of a subscription are of the same moment.')
    this.subscription = subscription
    this.seen = seen
  }
}

/** So often something else must be stored while the provider is asked before it is left to the next delivery. */
const mostAsked = 5

/**
 * A transaction that stores snapshots. Where two of them are tied it is rolled back, the provider is asked while no transaction is
 * open, and it begins again. Within another transaction the outermost one asks. Throws `ProviderFailed` where the provider does not answer.
 */
export async function askingAtTies<T>(
  room: PaymentRoom,
  db: Sql,
  work: (trx: Sql, asked: AskedSnapshots) => Promise<T>,
): Promise<T> {
  const asked: AskedSnapshots = new Map()
  for (let times = 0; ; times++) {
    try {
      return await inTransaction(db, (trx) => work(trx, asked))
    } catch (error) {
      if (!(error instanceof SnapshotsTied) || db.isTransaction) throw error
      if (times === mostAsked)
        throw new ProviderFailed(`${error.subscription} changes faster than it can be asked for.`)
      const { subscription, seen } = error
      asked.set(subscription, { seen, fact: await findNow(room, db, subscription) })
    }
  }
}

/** Null where the provider does not know it, as with other keys. */
async function findNow(room: PaymentRoom, db: Sql, subscription: string): Promise<Snapshot | null> {
  try {
    return (await room.provider(db)?.findSubscription(subscription)) ?? null
  } catch (error) {
    if (error instanceof NothingThere) return null
    throw error
  }
}

/**
 * Stores a snapshot where it is newer than the stored one; an end counts above all. Stripe stamps whole seconds, so at a tie
 * the answer of the provider counts; where it knows nothing, any fixed order does. True: something changed.
 */
export async function putSnapshot(trx: Sql, fact: Snapshot, asked: AskedSnapshots): Promise<boolean> {
  if (await store.insertSubscription(trx, newId(), fact)) return true
  const stored = await store.lockSubscription(trx, fact.subscription)
  const newest = newestOf(fact, stored, asked)
  if (!newest || isDeepStrictEqual(newest, stored)) return false
  await store.updateSubscription(trx, newest)
  return true
}

/** Null: the stored one stays. Throws `SnapshotsTied`. */
function newestOf(fact: Snapshot, stored: Snapshot, asked: AskedSnapshots): Snapshot | null {
  const isEnd = fact.status === 'canceled'
  if (isEnd !== (stored.status === 'canceled')) return isEnd ? fact : null
  const laterMs = Date.parse(fact.as_of) - Date.parse(stored.as_of)
  if (laterMs !== 0) return laterMs > 0 ? fact : null
  if (isDeepStrictEqual(fact, stored)) return null
  const seen = JSON.stringify(stored)
  const inFixedOrder = JSON.stringify(fact) > seen ? fact : null
  if (isEnd) return inFixedOrder
  const answer = asked.get(fact.subscription)
  if (answer?.seen !== seen) throw new SnapshotsTied(fact.subscription, seen)
  if (!answer.fact) return inFixedOrder
  return Date.parse(answer.fact.as_of) > Date.parse(stored.as_of)
    ? answer.fact
    : { ...answer.fact, as_of: stored.as_of }
}
