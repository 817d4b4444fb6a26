import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { PageHead } from '../../../kit/browser/PageHead.tsx'
import { ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { useWhen } from '../../../kit/browser/when.ts'
import { page } from '../../../site-map.ts'
import type { SettingsParts } from './Row.tsx'

export interface Leaving {
  deletionAt: string
  kind: SettingsParts['kind']
}

/** Shown in place of the settings after a deletion was requested. */
export function Goodbye({ deletionAt, kind }: Leaving) {
  const t = useTranslations('settings')
  const title = useRef<HTMLHeadingElement>(null)
  // The button was at the end of a long page.
  useEffect(() => {
    scrollTo(0, 0)
    title.current?.focus({ preventScroll: true })
  }, [])
  const { day } = useWhen()
  return (
    <section data-page="poster" className="river overflow-clip bg-river">
      <PageHead title={t('delete.doneTitle')} hidden />
      <div className="shell grid gap-6 py-16 md:py-24">
        <h1 ref={title} tabIndex={-1} className="text-paper md:poster-type">
          {t('delete.doneTitle')}
        </h1>
        <output className="max-w-[44ch] text-lg text-on-deep">
          {t('delete.done', { date: day(deletionAt), kind })}
        </output>
        <ButtonLink href={page.home} variant="primary" size="lg" className="justify-self-start">
          {t('delete.home')}
        </ButtonLink>
      </div>
    </section>
  )
}
