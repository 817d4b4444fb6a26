import type english from '../../messages/en.json'
import type { Locale } from './languages.ts'

export type Messages = typeof english

const loaders: Record<Locale, () => Promise<{ default: unknown }>> = {
  en: () => import('../../messages/en.json'),
  de: () => import('../../messages/de.json'),
  fr: () => import('../../messages/fr.json'),
}
const ready = new Map<Locale, Messages>()

/** Loads the texts of a language; missing ones are the English ones. */
export async function prepareCatalogue(locale: Locale): Promise<void> {
  if (ready.has(locale)) return
  const [base, over] = await Promise.all([loaders.en(), loaders[locale]()])
  ready.set(locale, locale === 'en' ? (base.default as Messages) : (filledUp(base.default, over.default) as Messages))
}

/** The texts of a language that `prepareCatalogue` has loaded. */
export function catalogueOf(locale: Locale): Messages {
  const messages = ready.get(locale)
  if (!messages) throw new Error(`Catalogue ${locale} is not loaded`)
  return messages
}

type Tree = Record<string, unknown>

/** A catalogue whose missing texts are those of `base`. */
export function filledUp(base: unknown, over: unknown): Tree {
  const filled: Tree = { ...(base as Tree) }
  for (const [key, value] of Object.entries(over as Tree)) {
    filled[key] = isTree(value) && isTree(filled[key]) ? filledUp(filled[key], value) : value
  }
  return filled
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null
}
