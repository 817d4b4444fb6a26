import type { MetaDescriptor } from 'react-router'
import { createTranslator } from 'use-intl/core'
import { catalogueOf } from './catalogues.ts'
import type { Choices } from './root.tsx'

/** A text of the catalogue by its whole key, e.g. `home.title`. */
export type Translate = (key: string, values?: Record<string, string | number>) => string

/** The head of a screen in the language of the document; `hidden` keeps it out of search engines. */
export function headOf(
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[],
  say: (t: Translate, choices: Choices) => { title: string; description?: string; hidden?: boolean },
): MetaDescriptor[] {
  const choices = matches.find((match) => match?.id === 'root')?.loaderData as Choices | undefined
  if (!choices) return [{ title: 'Rheinklang' }]
  const t = createTranslator({ locale: choices.locale, messages: catalogueOf(choices.locale) }) as Translate
  const { title, description, hidden } = say(t, choices)
  return [
    { title },
    ...(description ? [{ name: 'description', content: description }] : []),
    ...(hidden ? [{ name: 'robots', content: 'noindex' }] : []),
  ]
}
