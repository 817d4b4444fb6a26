import { useState, type ReactNode } from 'react'
import { Navigation } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { directionsTo, mapsAppOf } from '../../kit/browser/directions.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import type { Position } from '../../kit/shared/geo.ts'

/**
 * The way to a place on foot, from where one is: in the maps app of a phone, elsewhere by a choice of maps. Without
 * JavaScript it is OpenStreetMap's.
 */
export function Directions({
  to,
  name,
  children,
  className,
}: {
  to: Position
  /** What the maps app calls the place. */
  name: string
  children: ReactNode
  className?: string
}) {
  const t = useTranslations('map')
  const isAlive = useHydrated()
  const [isOpen, setOpen] = useState(false)
  const icon = <Navigation aria-hidden="true" className="size-5" />
  const app = isAlive ? mapsAppOf(navigator) : 'web'
  if (app !== 'choice')
    return (
      <ButtonLink href={directionsTo(to, app, name)} rel="noreferrer" icon={icon} className={className}>
        {children}
      </ButtonLink>
    )
  return (
    <>
      <ButtonLink
        href={directionsTo(to, 'web', name)}
        rel="noreferrer"
        aria-haspopup="dialog"
        icon={icon}
        className={className}
        onClick={(event) => {
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children}
      </ButtonLink>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('directions.title')}
        closeLabel={t('directions.close')}
      >
        {(['web', 'google', 'apple'] as const).map((each) => (
          <ButtonLink key={each} href={directionsTo(to, each, name)} rel="noreferrer" target="_blank" wide>
            {t(`directions.${each}`)}
          </ButtonLink>
        ))}
      </Dialog>
    </>
  )
}
