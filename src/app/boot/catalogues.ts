import type english from '../../../messages/en.json'
import type { Locale } from '../server/languages.ts'

export type Messages = typeof english

/** Texts of each language, compiled by scripts/compiled-texts.ts. Missing ones are in English. */
type Loaders = Record<Locale, () => Promise<{ default: unknown }>>

/** On the server whole catalogues; in the browser the texts of frame and document. Screens load their own. */
const loaders: Loaders = import.meta.env.SSR
  ? {
      en: () => import('../../../messages/en.json'),
      de: () => import('../../../messages/de.json'),
      fr: () => import('../../../messages/fr.json'),
    }
  : {
      en: () => import('texts:en/bell,deletionLine,errors,frame,heart,offlineLine,picks,time,verifyLine,way'),
      de: () => import('texts:de/bell,deletionLine,errors,frame,heart,offlineLine,picks,time,verifyLine,way'),
      fr: () => import('texts:fr/bell,deletionLine,errors,frame,heart,offlineLine,picks,time,verifyLine,way'),
    }
const loaded = new Map<Locale, object>()
const ready = new Set<Locale>()

export async function prepareCatalogue(locale: Locale): Promise<void> {
  if (ready.has(locale)) return
  await add(locale, loaders)
  ready.add(locale)
}

/** Loads the texts that a screen imports (`import 'texts:…'`). In the browser; the screen's code runs after it. */
export async function prepareTexts(parts: Loaders): Promise<void> {
  const { lang } = document.documentElement
  await add(lang in parts ? (lang as Locale) : 'en', parts)
}

async function add(locale: Locale, parts: Loaders) {
  const texts = (await parts[locale]()).default as object
  // changed in place, so that the provider's messages stay the same object
  loaded.set(locale, Object.assign(loaded.get(locale) ?? {}, texts))
}

/**
 * The texts of a language that are loaded so far.
 * @throws Error before `prepareCatalogue`
 */
export function catalogueOf(locale: Locale): Messages {
  const messages = loaded.get(locale)
  if (!messages) throw new Error(`Catalogue ${locale} is not loaded`)
  return messages as Messages
}
