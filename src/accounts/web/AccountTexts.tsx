import { useMemo, type ReactNode } from 'react'
import { Outlet } from 'react-router'
import { IntlProvider, useLocale, useMessages } from 'use-intl'
import type english from '../../../messages/accounts/en.json'

type Texts = typeof english

const languages: Record<string, () => Promise<{ default: unknown }>> = {
  en: () => import('../../../messages/accounts/en.json'),
  de: () => import('../../../messages/accounts/de.json'),
  fr: () => import('../../../messages/accounts/fr.json'),
}

/**
 * The texts of accounts are no part of the main catalogue: public pages never load them. A browser loads the one language
 * of its document together with the first of these screens, before it is drawn; the server has all three.
 */
const texts = new Map<string, Texts>()
for (const locale of import.meta.env.SSR ? Object.keys(languages) : [document.documentElement.lang || 'en'])
  texts.set(locale, (await (languages[locale] ?? languages['en'])!()).default as Texts)

/** Brings the texts, under `account`, to the screens of accounts. */
export function AccountTexts({ children }: { children: ReactNode }) {
  const locale = useLocale()
  const messages = useMessages()
  const all = useMemo(() => ({ ...messages, account: texts.get(locale) ?? {} }), [messages, locale])
  return (
    <IntlProvider locale={locale} messages={all as typeof messages}>
      {children}
    </IntlProvider>
  )
}

/** The pathless layout around all screens of accounts. */
export default function AccountLayout() {
  return (
    <AccountTexts>
      <Outlet />
    </AccountTexts>
  )
}
