import { useMatches } from 'react-router'

/**
 * What a screen exports as `handle` when it is a text with links and nothing that moves: its document comes without the
 * router, React and the data of its loader, and one small script keeps the header true to who is logged in (plain-page.ts).
 * Reached by a link from a page that is alive, such a screen is one of the app's like any other.
 */
export interface PlainHandle {
  isPlain: true
}

/** Only servers make plain documents; while developing none, as Vite's client would not reload them. */
const canBePlain = import.meta.env.SSR && !import.meta.env.DEV

/** Whether a document of these routes is a plain one. */
export function hasPlain(routes: { handle?: unknown }[]): boolean {
  return canBePlain && routes.some(({ handle }) => (handle as PlainHandle | undefined)?.isPlain)
}

/** Whether this document is a plain one. */
export const useIsPlain: () => boolean = canBePlain ? () => hasPlain(useMatches()) : () => false
