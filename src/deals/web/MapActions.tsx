import type { ReactNode } from 'react'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Directions } from '../../map/web/Directions.tsx'
import { placeOf } from './with-distance.ts'

/** Where the card of a deal or merchant on the map leads: to its page, and on foot to its place. */
export function MapActions({
  page,
  thing,
  name,
  children,
}: {
  page: string
  thing: Parameters<typeof placeOf>[0]
  /** What a maps app calls its place. */
  name: string
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
        <Directions to={place} name={name}>
          {t('directions')}
        </Directions>
      )}
    </p>
  )
}
