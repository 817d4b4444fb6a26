import { isDeepStrictEqual } from 'node:util'
import { inTransaction, type Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import type { FactOf } from './facts.ts'
import { NothingThere, ProviderFailed } from './provider.ts'
import type { PaymentRoom } from './room.ts'
import * as store from './store.ts'

type Snapshot = FactOf<'subscription'>

/** Answers of the provider, by subscription id. `seen`: the snapshot stored before asking, which the answer replaces. */
export type AskedSnapshots = Map<string, { seen: string; fact: Snapshot | null }>

/** Two different snapshots have the same time, so it is unknown which is newer. */
class SnapshotsTied extends Error {
  readonly subscription: string
  readonly seen: string

  constructor(subscription: string, seen: string) {
    super('Two snapshots of a subscription are of the same moment.')
    this.subscription = subscription
    this.seen = seen
  }
}

/** After so many attempts, each overtaken by another stored snapshot, the event is left to its next delivery. */
const mostAsked = 5

/**
 * Runs a transaction that stores snapshots. If two of them have the same time, it is rolled back, the provider is asked without an
 * open transaction, and it runs again. Inside another transaction the outermost call asks. @throws `ProviderFailed`
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

/** Null: the provider does not know the subscription, as after a change of its keys. */
async function findNow(room: PaymentRoom, db: Sql, subscription: string): Promise<Snapshot | null> {
  try {
    return (await room.provider(db)?.findSubscription(subscription)) ?? null
  } catch (error) {
    if (error instanceof NothingThere) return null
    throw error
  }
}

/**
 * Stores a snapshot if it is newer than the stored one; an ended subscription stays ended. Stripe's times are whole seconds: when
 * two are equal, the provider is asked, and if it knows nothing, a fixed order decides. @returns true: something changed
 */
export async function putSnapshot(trx: Sql, fact: Snapshot, asked: AskedSnapshots): Promise<boolean> {
  if (await store.insertSubscription(trx, newId(), fact)) return true
  const stored = await store.lockSubscription(trx, fact.subscription)
  const newest = newestOf(fact, stored, asked)
  if (!newest || isDeepStrictEqual(newest, stored)) return false
  await store.updateSubscription(trx, newest)
  return true
}

/** Null: the stored one stays. @throws `SnapshotsTied` */
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
