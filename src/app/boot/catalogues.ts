import type english from '../../../messages/en.json'
import type { Locale } from '../server/languages.ts'

export type Messages = typeof english

/** Texts of each language, compiled and without a gap by scripts/compiled-texts.ts. */
type Loaders = Record<Locale, () => Promise<{ default: unknown }>>

/** Whole catalogues on the server; in the browser what frame and document say, and screens bring theirs along. */
const loaders: Loaders = import.meta.env.SSR
  ? {
      en: () => import('../../../messages/en.json'),
      de: () => import('../../../messages/de.json'),
      fr: () => import('../../../messages/fr.json'),
    }
  : {
      en: () => import('texts:en/bell,deletionLine,errors,frame,heart,offlineLine,picks,time,verifyLine'),
      de: () => import('texts:de/bell,deletionLine,errors,frame,heart,offlineLine,picks,time,verifyLine'),
      fr: () => import('texts:fr/bell,deletionLine,errors,frame,heart,offlineLine,picks,time,verifyLine'),
    }
const loaded = new Map<Locale, object>()
const ready = new Set<Locale>()

/** Loads the texts of a language. */
export async function prepareCatalogue(locale: Locale): Promise<void> {
  if (ready.has(locale)) return
  await add(locale, loaders)
  ready.add(locale)
}

/** The texts that a screen names (`import 'texts:…'`), in the browser: it waits for them before anything of it runs. */
export async function prepareTexts(parts: Loaders): Promise<void> {
  const { lang } = document.documentElement
  await add(lang in parts ? (lang as Locale) : 'en', parts)
}

async function add(locale: Locale, parts: Loaders) {
  const texts = (await parts[locale]()).default as object
  // grows in place, so that the provider's messages stay the same object
  loaded.set(locale, Object.assign(loaded.get(locale) ?? {}, texts))
}

/** The texts of a language that have been loaded so far. */
export function catalogueOf(locale: Locale): Messages {
  const messages = loaded.get(locale)
  if (!messages) throw new Error(`Catalogue ${locale} is not loaded`)
  return messages as Messages
}
