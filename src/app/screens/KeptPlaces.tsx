import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { lastKept } from '../../kit/browser/kept-answers.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { page } from '../../site-map.ts'

/**
 * Where to go without a network. The pages of one's own come with the service worker; programme and map only once this phone has had
 * the time to keep what they show.
 */
export function KeptPlaces() {
  const t = useTranslations('frame')
  const hasLists = useSyncExternalStore(never, keptLists, () => false)
  const places = [
    ...(hasLists ? [{ href: page.events, label: t('events') }] : []),
    { href: page.mySchedule, label: t('mySchedule') },
    { href: page.favorites, label: t('myFavorites') },
    ...(hasLists ? [{ href: page.dealsMap, label: t('map') }] : []),
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

const never = () => () => {}

function keptLists(): boolean {
  try {
    return localStorage.getItem(lastKept) !== null
  } catch {
    return false
  }
}
