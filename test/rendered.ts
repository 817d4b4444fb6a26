import { createElement, type ReactNode } from 'react'
import { readFileSync } from 'node:fs'
import { renderToString } from 'react-dom/server'
import { IntlProvider, type AbstractIntlMessages } from 'use-intl'

type Language = 'en' | 'de' | 'fr'

const messages = (language: Language) =>
  JSON.parse(readFileSync(new URL(`../messages/${language}.json`, import.meta.url), 'utf8')) as AbstractIntlMessages

/** A part of a screen, rendered on the server in Basel's time zone at `now` (ISO). */
export function htmlOf(part: ReactNode, now: string, language: Language = 'en'): string {
  const provider = { locale: language, messages: messages(language), timeZone: 'Europe/Zurich', now: new Date(now) }
  // oxlint-disable-next-line react/no-children-prop -- its types want them among the others
  return renderToString(createElement(IntlProvider, { ...provider, children: part }))
}

/** Its text alone. */
export function wordsOf(part: ReactNode, now: string, language: Language = 'en'): string {
  return htmlOf(part, now, language)
    .replace(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .trim()
}

/** The result of a hook in the same environment. */
export function answerOf<Answer>(hook: () => Answer, now: string, language: Language = 'en'): Answer {
  const answers: Answer[] = []
  function RequestContext() {
    answers.push(hook())
    return null
  }
  wordsOf(createElement(RequestContext), now, language)
  return answers[0]!
}
