import { useState } from 'react'
import { Form } from 'react-router'
import { useTranslations } from 'use-intl'
import { Logo } from '../../brand/Logo.tsx'
import { late } from '../../kit/browser/late.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { page, savedEventsPage } from '../../site-map.ts'
import { Preferences } from './Preferences.tsx'

const SubscribeHere = late(() => import('../../newsletter/web/SubscribeHere.tsx'))

/** Below every page: newsletter, links, and the choice of language and theme. */
export default function Footer() {
  const t = useTranslations('frame')
  const legal = [
    [page.terms, t('terms')],
    [page.privacy, t('privacy')],
    [page.help, t('help')],
  ] as const
  const more = [
    [page.learnMore, t('learnMore')],
    [page.contact, t('contact')],
    [savedEventsPage, t('saved')],
    [page.businesses, t('merchants')],
    [page.businessSignup, t('businessSignup')],
  ] as const
  return (
    <footer className="river bg-deep pt-6 pb-[calc(4rem+env(safe-area-inset-bottom))] text-on-deep md:pb-0 print-hidden">
      <WaveRule className="text-coral" />
      <div className="shell grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 py-10 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid content-start gap-2">
          <Logo className="text-[min(var(--text-3xl),9vw+0.5rem)]" />
          <p className="text-on-deep-soft">{t('claim')}</p>
          <Newsletter />
        </div>
        <nav
          aria-label={t('footerLinks')}
          className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7.5rem),1fr))] gap-x-4 sm:gap-x-8 sm:grid-cols-[repeat(3,auto)] sm:justify-start"
        >
          {[legal, more.slice(0, 3), more.slice(3)].map((links) => (
            <ul key={links[0]![0]} className="max-sm:first:row-span-2">
              {links.map(([href, label]) => (
                <li key={href}>
                  <a href={href} className="link flex min-h-11 items-center py-1 text-on-deep">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          ))}
        </nav>
        <Preferences />
      </div>
    </footer>
  )
}

/** Subscribes on this page, which may hold a half-written form; without JavaScript it is a plain form to the newsletter's page. */
function Newsletter() {
  const t = useTranslations('frame')
  const [form, setForm] = useState<FormData | null>(null)
  return (
    <Form
      method="post"
      action={page.newsletter}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setForm(new FormData(event.currentTarget))
      }}
      className="grid max-w-96 gap-1.5 pt-4"
    >
      <p className="font-semibold">{t('newsletter')}</p>
      <p className="text-sm text-on-deep-soft">{t('newsletterText')}</p>
      <div className="flex flex-wrap gap-y-2 pt-1">
        {/* type text: the only field of the type email is that of the page’s own form */}
        <input
          name="newsletter"
          type="text"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          aria-label={t('newsletterField')}
          placeholder={t('newsletterPlaceholder')}
          className="min-h-11 min-w-0 flex-[1_1_8rem] -mr-0.5 rounded-l-6 border-2 border-rule bg-deep px-3 text-on-deep placeholder:text-on-deep-soft focus-visible:relative focus-visible:z-10"
        />
        <button
          type="submit"
          className="min-h-11 max-w-full rounded-r-6 border-2 border-rule px-4 wrap-anywhere font-semibold text-on-deep hover:bg-well focus-visible:relative focus-visible:z-10"
        >
          {t('newsletterSubmit')}
        </button>
      </div>
      {form && <SubscribeHere form={form} />}
    </Form>
  )
}
