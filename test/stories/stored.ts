import type { Page } from 'playwright-core'

/** The JSON of all intents in the outbox of a page's browser; `owner` is `guest` or begins with `user-`. */
export const outboxOf = (page: Page, owner: 'guest' | 'user-', room: string): Promise<string> =>
  page.evaluate(
    ([owner, room]) =>
      Object.entries(localStorage)
        .filter(([name]) => name.startsWith(`outbox:${owner}`) && name.split(':')[2] === room)
        .map(([, text]) => String(text))
        .join(' '),
    [owner, room] as const,
  )

/** The number of favourites in the offline copy; undefined: there is no copy. */
export const favoritesInCopy = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => {
    const name = Object.keys(localStorage).find((each) => each.endsWith(':favorites-list'))
    const copy = JSON.parse(localStorage.getItem(name ?? '') ?? '{}') as { value?: { favorites: unknown[] } }
    return copy.value?.favorites.length
  })
