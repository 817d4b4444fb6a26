import { useMatches } from 'react-router'

/**
 * What a screen exports as `handle` when it is a text with links and nothing that moves: its document comes without the
 * router, React and the data of its loader, and one small script keeps the header true to who is logged in (plain-page.ts).
 * Reached by a link from a page that is alive, such a screen is one of the app's like any other.
 */
export interface PlainHandle {
  isPlain: true
}

/** Whether this document is a plain one. Only servers make them; Vite's client would not reload one while developing. */
export const useIsPlain: () => boolean =
  import.meta.env.SSR && !import.meta.env.DEV
    ? () => useMatches().some(({ handle }) => (handle as PlainHandle | undefined)?.isPlain)
    : () => false
