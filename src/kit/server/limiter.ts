import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { refuseWhileReading } from './database.ts'

/** Counts in PostgreSQL, so that the limit holds over all instances. */
export interface Limiter {
  /** Takes one; returns 0, or the seconds to wait when there is none left. */
  take(key: string): Promise<number>
  /** Seconds to wait as things stand, without taking one; 0: none. */
  wait(key: string): Promise<number>
  /** Gives one back. */
  giveBack(key: string): Promise<void>
  /** Begins anew. */
  forget(key: string): Promise<void>
}

/** At most `points` per `durationS` seconds and key. The table comes with the migrations. */
export function createLimiter(pool: pg.Pool, options: { name: string; points: number; durationS: number }): Limiter {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: options.name,
    points: options.points,
    duration: options.durationS,
  })
  const refuse = () => refuseWhileReading(`The limit ${options.name} was counted`)
  /** A row that ends later than a whole window from now was written while a clock was ahead: its window begins now. */
  async function secondsUntil(key: string, { msBeforeNext, consumedPoints }: RateLimiterRes): Promise<number> {
    if (msBeforeNext <= options.durationS * 1000) return Math.max(1, Math.ceil(msBeforeNext / 1000))
    await limiter.set(key, consumedPoints, options.durationS)
    return options.durationS
  }
  return {
    async take(key) {
      refuse()
      try {
        await limiter.consume(key)
        return 0
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return secondsUntil(key, refused)
        throw refused
      }
    },
    async wait(key) {
      const state = await limiter.get(key)
      return state && state.remainingPoints <= 0 && state.msBeforeNext > 0 ? secondsUntil(key, state) : 0
    },
    async giveBack(key) {
      refuse()
      await limiter.reward(key)
    },
    async forget(key) {
      refuse()
      await limiter.delete(key)
    },
  }
}
