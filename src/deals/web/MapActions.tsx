import type { ReactNode } from 'react'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Directions } from '../../map/web/Directions.tsx'
import { placeOf } from './with-distance.ts'

/** Links of a map card: to the page of the deal or merchant, and the way there on foot. */
export function MapActions({
  page,
  thing,
  name,
  children,
}: {
  page: string
  thing: Parameters<typeof placeOf>[0]
  /** Name of the place in a maps app. */
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
