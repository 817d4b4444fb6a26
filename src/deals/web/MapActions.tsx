import type { ReactNode } from 'react'
import { ArrowRight, Navigation } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { directionsTo } from '../../kit/browser/directions.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { placeOf } from './Away.tsx'

/** Where the card of a deal or merchant on the map leads: to its page, and on foot to its place. */
export function MapActions({
  page,
  thing,
  children,
}: {
  page: string
  thing: Parameters<typeof placeOf>[0]
  children: ReactNode
}) {
  const t = useTranslations('dealsMap')
  const place = placeOf(thing)
  return (
    <p className="flex flex-wrap gap-3 pt-1">
      <ButtonLink href={page} variant="primary">
        {children}
        <ArrowRight aria-hidden="true" className="size-5" />
      </ButtonLink>
      {place && (
        <ButtonLink
          href={directionsTo(place)}
          rel="noreferrer"
          icon={<Navigation aria-hidden="true" className="size-5" />}
        >
          {t('directions')}
        </ButtonLink>
      )}
    </p>
  )
}
