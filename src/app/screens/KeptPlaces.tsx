import { useSyncExternalStore, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { lastCachedKey } from '../../kit/browser/offline-caches.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { useSession, useStored } from '../../accounts/web/session.ts'
import { page, savedEventsPage } from '../../site-map.ts'

/**
 * Where to go without a network. The pages of one's own come with the service worker; programme and map only once this phone has had
 * the time to keep what they show. A guest's own are what this phone has saved: the pages of an account would ask for a login.
 * Merchants save nothing; what they redeem offline is sent later.
 */
export default function KeptPlaces(): ReactNode {
  const t = useTranslations('frame')
  const hasLists = useSyncExternalStore(never, keptLists, () => false)
  const session = useSession()
  const hasCodes = useStored('myCodes') !== null
  const isVisitor = session === 'user'
  // what only the phone knows comes last, or the others would move away under a finger
  const places = [
    ...(session === 'business'
      ? [{ href: page.redeem, label: t('redeem') }]
      : [
          { href: isVisitor ? page.mySchedule : savedEventsPage, label: t('mySchedule') },
          { href: isVisitor ? page.favorites : `${page.deals}?saved=1`, label: t('myFavorites') },
        ]),
    ...(hasLists
      ? [
          { href: page.events, label: t('events') },
          { href: page.dealsMap, label: t('map') },
        ]
      : []),
    ...(hasCodes ? [{ href: page.myCodes, label: t('myCodes') }] : []),
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
    return localStorage.getItem(lastCachedKey) !== null
  } catch {
    return false
  }
}
