import { useState } from 'react'
import { useTranslations } from 'use-intl'
import MapPin from 'lucide-react/icons/map-pin'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { FieldError } from '../../../kit/browser/ui/Field.tsx'
import { useAnswer } from '../../../kit/browser/use-answer.ts'
import type { Position } from '../../../kit/shared/geo.ts'
import { plainConfig } from '../../../map/web/basemap.ts'
import { mapConfig } from '../../../map/contract.ts'
import { placeIn, spelled, type TypedPlace } from '../../../map/web/typed-place.ts'
import { late } from '../../../kit/browser/late.tsx'
import { fixed } from '../../../kit/shared/numbers.ts'

const LocationPicker = late(() => import('./LatePicker.tsx'))

/** Sets a place with a pin on a map, which is loaded on demand. */
export function PlaceField({
  value,
  centre,
  theme,
  onChange,
  faults,
}: {
  value: TypedPlace
  /** Centre of the festival, for the map if its settings cannot be loaded. */
  centre: Position
  theme: 'auto' | 'paper' | 'river'
  onChange: (typed: TypedPlace) => void
  faults: Record<string, string>
}) {
  const t = useTranslations('merchantForms')
  const place = placeIn(value)
  // open for an invalid position of a draft, so that it can be corrected
  const [open, setOpen] = useState(place === null && (value.latitude !== '' || value.longitude !== ''))
  const config = useAnswer(mapConfig, open ? {} : null)
  return (
    <div className="grid gap-3">
      {!open && (
        <>
          <p className={place ? 'figure' : 'text-ink-soft'}>
            {place ? `${fixed(place.latitude, 5)}, ${fixed(place.longitude, 5)}` : t('noPlace')}
          </p>
          <Button
            className="justify-self-start"
            icon={<MapPin aria-hidden="true" className="size-5" />}
            onClick={() => setOpen(true)}
          >
            {place ? t('movePin') : t('setPin')}
          </Button>
        </>
      )}
      {open && (config.body || config.refused) && (
        <LocationPicker
          config={config.body ?? plainConfig(centre)}
          chosenTheme={theme}
          value={place ? spelled(place) : value}
          onChange={onChange}
          faults={faults}
        />
      )}
      {!open && <FieldError id="place-error">{faults['latitude'] ?? faults['longitude']}</FieldError>}
    </div>
  )
}
