import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'

/** Counts in PostgreSQL, so that the limit holds over all instances. */
export interface Limiter {
  /** Takes one; returns 0, or the seconds to wait when there is none left. */
  take(key: string): Promise<number>
}

/** At most `points` per `durationS` seconds and key. The table comes with the migrations. */
export function createLimiter(pool: pg.Pool, options: { name: string; points: number; durationS: number }): Limiter {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: options.name,
    points: options.points,
    duration: options.durationS,
  })
  return {
    async take(key) {
      try {
        await limiter.consume(key)
        return 0
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
        throw refused
      }
    },
  }
}
