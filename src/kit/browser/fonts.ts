/// <reference types="vite/client" />
import display from './fonts/bricolage-grotesque-display.woff2?url'
import text from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url'

/**
 * Addresses of the only two faces of the house, to be preloaded on every page:
 * `<link rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={…} />`.
 *
 * The display file is made from `@fontsource-variable/bricolage-grotesque` 5.3.0 (OFL 1.1, no reserved name), file
 * `bricolage-grotesque-latin-opsz-normal.woff2`, with the package subset-font:
 * Latin-1 plus Œœ Ÿ dashes quotes … € ™ − ← →, axes `{ opsz: { min: 18, max: 96, default: 18 }, wght: 750 }`: one weight,
 * every optical size, so the letters stay open in a card and stand tight on a poster, for half of Fontsource's bytes.
 */
export const fontsToPreload: readonly string[] = [display, text]
