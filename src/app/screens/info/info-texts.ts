import { createTranslator } from 'use-intl/core'
import type { RouterContextProvider } from 'react-router'
import type english from '../../../../messages/info/en.json'
import { daysText, daysTo } from '../../../brand/festival-days.ts'
import { pageContext } from '../../../kit/browser/ask.ts'
import { dateText, wallIn } from '../../../kit/shared/calendar.ts'
import { facts, lastChanged } from './facts.ts'

/** The long texts of the information pages, apart from the main catalogue: a document contains only those of its own page. */
export type InfoTexts = Compiled<typeof english>

/** A text compiled by the build: a string, or a list of strings and arguments. Its tags become links (see Prose.tsx). */
export type Message = string | readonly unknown[]
/** A paragraph, or the items of a list by their index. */
export type Block = Message | Record<string, Message>
export interface Section {
  title: string
  body: Record<string, Block>
}

/** The build turns lists into objects by index. */
type Compiled<T> = T extends string
  ? string
  : T extends readonly unknown[]
    ? Record<string, Block>
    : { [Key in keyof T]: Compiled<T[Key]> }

const languages = {
  en: () => import('../../../../messages/info/en.json'),
  de: () => import('../../../../messages/info/de.json'),
  fr: () => import('../../../../messages/info/fr.json'),
}

/** The texts of one page, their arguments, and title and description for its head. */
export async function loadInfo<Page extends keyof InfoTexts>(context: Readonly<RouterContextProvider>, page: Page) {
  const { locale, festival } = context.get(pageContext)
  // all languages have the same keys, checked by messages.test.ts
  const texts = ((await languages[locale]()).default as unknown as InfoTexts)[page]
  const values = joinArguments(facts, {
    festival: festival.name,
    festivalDays: festival.days ? daysText(locale, festival.days) : 'unknown',
    isOver: String(!!festival.days && daysTo(festival.days, wallIn(festival.zone, Date.now())) < 0),
  })
  const say = translator(locale, texts)
  return {
    locale,
    texts,
    values,
    days: festival.days,
    changed: dayIn(locale, lastChanged),
    head: {
      // without soft hyphens, which are for the headline only
      title: say('metaTitle' in texts ? 'metaTitle' : 'title', values).replaceAll('\u00ad', ''),
      description: say('description', values),
    },
  }
}

/**
 * Joins the message arguments of two sources. A name that both use does not compile: one value would silently replace the other
 * in a sentence.
 */
function joinArguments<First extends object, Second extends object>(
  first: First,
  second: Second & { [Name in keyof First]?: never },
): First & Second {
  return { ...first, ...second }
}

/** "21 November 2026", in the locale's Swiss or British form. */
function dayIn(locale: string, day: string): string {
  return dateText(locale, wallIn('UTC', Date.parse(day)))
}

export type LoadedInfo<Page extends keyof InfoTexts> = Awaited<ReturnType<typeof loadInfo<Page>>>

export interface Translator {
  (key: string, values?: Record<string, string | number | Date>): string
  rich(key: string, values: Record<string, unknown>): React.ReactNode
}

export function translator(locale: string, texts: object): Translator {
  return createTranslator({ locale, messages: texts as Record<string, string> }) as unknown as Translator
}
