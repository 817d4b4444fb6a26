import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { IntlProvider, useTranslations } from 'use-intl'
import { expect, it } from 'vitest'

it('use-intl finds texts that are added to its messages while a page renders', () => {
  const messages: Record<string, Record<string, string>> = { frame: { home: 'Home' } }
  const Late = () => useTranslations('late')('title')
  const Screen = () => {
    messages['late'] = { title: 'Added' }
    return createElement(Late)
  }
  const provided = { locale: 'en', timeZone: 'UTC', messages, children: createElement(Screen) }
  expect(renderToString(createElement(IntlProvider, provided))).toBe('Added')
})
