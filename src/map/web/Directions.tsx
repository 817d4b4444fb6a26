import { useState, type ReactNode } from 'react'
import Navigation from 'lucide-react/icons/navigation'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { directionsTo, mapsAppOf } from '../../kit/browser/directions.ts'
import { late } from '../../kit/browser/late.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import type { Position } from '../../kit/shared/geo.ts'

const DirectionsChoice = late(() => import('./DirectionsChoice.tsx'))

/** Directions on foot to a place: in the maps app of a phone, elsewhere by a choice of maps, without JavaScript by OpenStreetMap. */
export function Directions({
  to,
  name,
  children,
  className,
}: {
  to: Position
  /** Name of the place in the maps app. */
  name: string
  children: ReactNode
  className?: string
}) {
  const isAlive = useHydrated()
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
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
          setOpened(true)
        }}
      >
        {children}
      </ButtonLink>
      {wasOpened && <DirectionsChoice to={to} name={name} open={isOpen} onClose={() => setOpen(false)} />}
    </>
  )
}
