import { setTimeout as pause } from 'node:timers/promises'
import { whileReading } from '../../kit/server/database.ts'
import { cachedAnswers } from '../../kit/server/timed-cache.ts'
import type { House } from '../../kit/server/room.ts'

const ttlMs = 1000
/** Short, because cached pages must come even while the database hangs. */
const patienceMs = 250

/**
 * HTML that rooms put on top of every page, by language; cached for a second. If it is not there in time the last known one is
 * used, or none.
 */
export function askBanner(answersTo: House['answersTo']): (locale: string) => Promise<string> {
  const last = new Map<string, { text: string; until: number }>()
  const ask = cachedAnswers(
    async (locale) => {
      const until = performance.now() + ttlMs
      const banners = () => Promise.all(answersTo('pageBanner').map((banner) => banner(locale)))
      const text = (await whileReading(banners, { mayLag: true })).join('')
      last.set(locale, { text, until })
      return text
    },
    { name: 'banner over all pages', ttlMs, most: 10 },
  )
  return async (locale) => {
    const known = last.get(locale)
    if (known && performance.now() < known.until) return known.text
    const stale = known?.text ?? ''
    return Promise.race([ask(locale).catch(() => stale), pause(patienceMs, stale, { ref: false })])
  }
}

const body = /<body[^>]*>/

/** The page with the banner at the top of its body, outside of what React draws: hydration skips elements that it did not draw. */
export function withBanner(page: string, banner: string): string {
  return banner === '' ? page : page.replace(body, (tag) => tag + banner)
}
