/// <reference types="vite/client" />
import display from './fonts/bricolage-grotesque-display.woff2?url'
import text from './fonts/instrument-sans-text.woff2?url'

/**
 * Addresses of the two fonts, to preload on every page:
 * `<link rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={…} />`.
 *
 * Both are made from Fontsource's Latin files (5.3.0, OFL 1.1, no reserved names) with the package subset-font: Latin-1
 * plus Œœ Ÿ dashes quotes … € ™ − and arrows, figures of equal width, kerning, no hints.
 * - Display: `bricolage-grotesque-latin-opsz-normal.woff2`, axes `{ opsz: { min: 18, max: 96, default: 18 }, wght: 750 }`: one
 *   weight, every optical size, so that letters are open in a card and tight on a poster.
 * - Text: `instrument-sans-latin-wght-normal.woff2`, axis `wght` 400 to 700.
 *
 * Variable kerning was half of each file, and its variation is invisible. So the tables GPOS and GDEF are those of one instance
 * (opsz 48, wght 500), subset to the same letters, with pairs rounded to 6 units (a quarter of a pixel on a poster): 44 kB for
 * both instead of 66.
 */
export const fontsToPreload: readonly string[] = [display, text]
