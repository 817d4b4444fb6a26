import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { page } from '../../site-map.ts'

/** Where to go without a network: what a phone keeps. */
export function KeptPlaces() {
  const t = useTranslations('frame')
  const places = [
    { href: page.events, label: t('events') },
    { href: page.mySchedule, label: t('mySchedule') },
    { href: page.favorites, label: t('myFavorites') },
    { href: page.dealsMap, label: t('map') },
  ]
  return (
    <p className="flex flex-wrap gap-3">
      {places.map(({ href, label }) => (
        <ButtonLink key={href} href={href} size="lg">
          {label}
        </ButtonLink>
      ))}
    </p>
  )
}
