import { useSyncExternalStore, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { lastCachedKey } from '../../kit/browser/offline-caches.ts'
import { browserStorage } from '../../kit/browser/storage.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { useSession, useStored } from '../../accounts/web/session.ts'
import { page, savedDealsPage, savedEventsPage } from '../../site-map.ts'

/**
 * Links to pages that open without a network. Own pages are always cached by the service worker; programme and map only after their
 * answers were cached. Guests get what they saved on this phone, since pages of an account would ask for a login. Merchants
 * get the till, whose scans are sent later.
 */
export default function OfflineLinks(): ReactNode {
  const t = useTranslations('frame')
  const hasLists = useSyncExternalStore(never, areListsCached, () => false)
  const session = useSession()
  const hasCodes = useStored('myCodes') !== null
  const isVisitor = session === 'user'
  // links that appear after hydration come last, so that the others do not move away under a finger
  const places = [
    ...(session === 'business'
      ? [{ href: page.redeem, label: t('redeem') }]
      : [
          { href: isVisitor ? page.mySchedule : savedEventsPage, label: t('mySchedule') },
          { href: isVisitor ? page.favorites : savedDealsPage, label: t('myFavorites') },
        ]),
    ...(hasLists
      ? [
          { href: page.events, label: t('events') },
          { href: page.dealsMap, label: t('map') },
        ]
      : []),
    { href: page.help, label: t('help') },
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

const areListsCached = () => browserStorage.get(lastCachedKey) !== null
