import { setTimeout as pause } from 'node:timers/promises'
import { whileReading } from '../../kit/server/database.ts'
import { cachedAnswers } from '../../kit/server/timed-cache.ts'
import type { House } from '../../kit/server/room.ts'

const ttlMs = 1000
/** Kept pages are answered while the database hangs; they do not wait for it here. */
const patienceMs = 250

/**
 * What the rooms want on top of every page in a language. Where they give no answer, or none soon, it is what they said
 * last; a page without any is whole all the same.
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
    const saidLast = known?.text ?? ''
    return Promise.race([ask(locale).catch(() => saidLast), pause(patienceMs, saidLast, { ref: false })])
  }
}

const body = /<body[^>]*>/

/** Before all that the screens draw: a browser that takes the page over passes what it did not draw. */
export function withBanner(page: string, banner: string): string {
  return banner === '' ? page : page.replace(body, (tag) => tag + banner)
}
