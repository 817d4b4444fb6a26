import Contrast from 'lucide-react/icons/contrast'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { currentSession } from '../../accounts/web/session.ts'
import { saveLanguage } from '../../accounts/web/save-language.ts'
import { useChoices } from '../root.tsx'

const languages = [
  { value: 'en', label: 'English', lang: 'en' },
  { value: 'de', label: 'Deutsch', lang: 'de' },
  { value: 'fr', label: 'Français', lang: 'fr' },
]

const patienceMs = 10_000

/** Stores in this history entry which choice was made, so that the reloaded page can restore the focus. */
const storeChosen = (chosen: string | undefined) =>
  history.replaceState({ ...(history.state as object | null), chosen }, '')

/**
 * Language and theme, as plain forms that lead back to this page, so that they work without JavaScript. With JavaScript the page is
 * reloaded in place: no history entry, the same scroll position, the same focus.
 */
export function Preferences() {
  const t = useTranslations('frame')
  const { locale, theme } = useChoices()
  const themes = [
    { value: 'auto', label: t('themeAuto'), icon: <Contrast aria-hidden="true" className="size-5" /> },
    { value: 'paper', label: t('themePaper'), icon: <Sun aria-hidden="true" className="size-5" /> },
    { value: 'river', label: t('themeRiver'), icon: <Moon aria-hidden="true" className="size-5" /> },
  ]
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-5 lg:col-span-2 lg:justify-between">
      <Preference name="lang" label={t('language')} options={languages} chosen={locale} />
      <Preference name="theme" label={t('theme')} options={themes} chosen={theme} />
    </div>
  )
}

function Preference({
  name,
  label,
  options,
  chosen,
}: {
  name: 'lang' | 'theme'
  label: string
  options: { value: string; label: string; lang?: string; icon?: ReactNode }[]
  chosen: string
}) {
  const { pathname, search } = useLocation()
  const form = useRef<HTMLFormElement>(null)
  const t = useTranslations('errors')
  const [fault, setFault] = useState<'offlineText' | 'busyText' | null>(null)
  useEffect(() => {
    if ((history.state as { chosen?: string } | null)?.chosen !== name) return
    storeChosen(undefined)
    form.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus({ preventScroll: true })
  }, [name])
  const choose = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    if (!submitter) return
    event.preventDefault()
    setFault(null)
    const { value } = submitter as HTMLButtonElement
    const body = new URLSearchParams({ [name]: value })
    const signal = AbortSignal.timeout(patienceMs)
    fetch('/preferences', { method: 'POST', body, redirect: 'manual', signal }).then(
      async ({ type }) => {
        if (type !== 'opaqueredirect') return setFault('busyText')
        // the account's mails are in this language
        if (name === 'lang' && currentSession() !== 'guest') await saveLanguage(value)
        storeChosen(name)
        location.reload()
      },
      // no reload without a connection: the page would be lost
      () => setFault('offlineText'),
    )
  }
  return (
    <form ref={form} method="post" action="/preferences" onSubmit={choose}>
      <input type="hidden" name="next" value={pathname + search} />
      <fieldset>
        <legend className="pb-1.5 text-xs font-semibold text-on-deep-soft">{label}</legend>
        <div className="flex w-fit max-w-full flex-wrap rounded-6 border-2 border-rule">
          {options.map((option) => (
            <button
              key={option.value}
              type="submit"
              name={name}
              value={option.value}
              lang={option.lang}
              aria-pressed={option.value === chosen}
              className="flex min-h-11 items-center gap-2 border-l-2 border-rule px-2 font-semibold text-on-deep first:border-l-0 hover:bg-well focus-visible:relative focus-visible:z-10 aria-pressed:bg-paper aria-pressed:text-night sm:px-4"
            >
              {option.icon}
              {option.label}
            </button>
          ))}
        </div>
      </fieldset>
      <output className="text-on-deep">{fault && t(fault)}</output>
    </form>
  )
}
