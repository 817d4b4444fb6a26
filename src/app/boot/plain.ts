import { useMatches } from 'react-router'

/**
 * Exported as `handle` by a screen that is only text and links. Its document comes without React, router and loader data;
 * one small script shows the right account in the header (plain-page.ts). Opened by a link from a hydrated page, it is a screen
 * like any other.
 */
export interface PlainHandle {
  isPlain: true
}

/** On servers only, and not during development: Vite's client could not reload plain documents. */
const canBePlain = import.meta.env.SSR && !import.meta.env.DEV

/** Whether the document of these routes is plain. */
export function hasPlain(routes: { handle?: unknown }[]): boolean {
  return canBePlain && routes.some(({ handle }) => (handle as PlainHandle | undefined)?.isPlain)
}

/** Whether the document being rendered is plain. */
export const useIsPlain: () => boolean = canBePlain ? () => hasPlain(useMatches()) : () => false
