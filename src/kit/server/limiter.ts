import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { refuseWhileReading } from './database.ts'

/** A rate limit. It counts in PostgreSQL, so it holds for all instances together. */
export interface Limiter {
  /** Takes a point. Returns 0, or the seconds to wait when no point is left. */
  take(key: string): Promise<number>
  /** Seconds to wait for a point, without taking one; 0: none. */
  wait(key: string): Promise<number>
  /** Gives a point back. */
  giveBack(key: string): Promise<void>
  /** Resets the count. */
  forget(key: string): Promise<void>
}

/** A limit of `points` per key in each window of `durationS` seconds. */
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
  /** A row that ends later than one window from now was written while a clock was ahead: its window restarts now. */
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
