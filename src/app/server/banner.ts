import { remembered } from '../../kit/server/remembered.ts'
import type { House } from '../../kit/server/room.ts'

const keptMs = 1000

/** What the rooms want on top of every page in a language; a page without an answer is whole all the same. */
export function askBanner(answersTo: House['answersTo']): (locale: string) => Promise<string> {
  const ask = remembered(
    async (locale) => (await Promise.all(answersTo('pageBanner').map((banner) => banner(locale)))).join(''),
    { keptMs, most: 10 },
  )
  return (locale) => ask(locale).catch(() => '')
}

const body = /<body[^>]*>/

/** Before all that the screens draw: a browser that takes the page over passes what it did not draw. */
export function withBanner(page: string | Buffer, banner: string): string | Buffer {
  return banner === '' ? page : String(page).replace(body, (tag) => tag + banner)
}
