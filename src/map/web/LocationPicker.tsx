import { useRef, useState } from 'react'
import { MapPin } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import type { Position } from '../../kit/shared/geo.ts'
import type { Basemap, MapConfig } from '../contract.ts'
import type { MapTheme } from './engine.ts'
import { MapView, type MapHandle } from './MapView.tsx'
import { noOverlay } from './overlay.ts'

/**
 * Asks a merchant for a place: a pin to drag, two numbers to type, and a button that sets the pin in the middle of the
 * map, which the arrow keys move. Part of a form: the fields are named `latitude` and `longitude` and stay where there is
 * no map. `onChange` gets null while the fields hold no place.
 */
export function LocationPicker({
  config,
  chosenTheme,
  value,
  onChange,
}: {
  config: MapConfig
  chosenTheme: 'auto' | MapTheme
  value: Position | null
  onChange: (place: Position | null) => void
}) {
  const t = useTranslations('map')
  const map = useRef<MapHandle>(null)
  const [typed, setTyped] = useState(() => spelled(value))
  const [basemap, setBasemap] = useState<Basemap | null>(null)
  const [start] = useState(() => ({ ...(value ?? config.center), zoom: value ? 16 : config.zoom }))
  const latitude = numberIn(typed.latitude, 90)
  const longitude = numberIn(typed.longitude, 180)

  const at = latitude === null || longitude === null ? null : { latitude, longitude }
  // where no map can be drawn the pin is one of the picture's
  const drawn =
    basemap === 'outline' && at
      ? { ...noOverlay, places: [{ ...at, key: 'pin', icon: 'deal' as const, count: 1 }] }
      : noOverlay

  const set = (place: Position | null) => {
    setTyped(spelled(place))
    onChange(place && roundedTo(place))
  }
  const type = (part: Partial<typeof typed>) => {
    const next = { ...typed, ...part }
    setTyped(next)
    const [lat, lon] = [numberIn(next.latitude, 90), numberIn(next.longitude, 180)]
    const place = lat === null || lon === null ? null : { latitude: lat, longitude: lon }
    onChange(place)
    if (place) map.current?.goTo(place)
  }

  return (
    <fieldset className="grid gap-3">
      <legend className="pb-3 text-lg font-semibold">{t('picker.place')}</legend>
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label={t('picker.latitude')}
          name="latitude"
          inputMode="decimal"
          autoComplete="off"
          value={typed.latitude}
          onChange={(event) => type({ latitude: event.target.value })}
          live
          error={typed.latitude && latitude === null ? t('picker.badLatitude') : undefined}
        />
        <TextField
          label={t('picker.longitude')}
          name="longitude"
          inputMode="decimal"
          autoComplete="off"
          value={typed.longitude}
          onChange={(event) => type({ longitude: event.target.value })}
          live
          error={typed.longitude && longitude === null ? t('picker.badLongitude') : undefined}
        />
      </div>
      <p className="text-sm text-ink-soft">{t('picker.help')}</p>
      <div className="relative h-80 overflow-clip rounded-6 border-2 border-rule has-focus-visible:overflow-visible">
        <MapView
          config={config}
          chosenTheme={chosenTheme}
          start={start}
          data={drawn}
          label={t('picker.place')}
          cooperative
          handle={map}
          onReady={setBasemap}
          pin={{ at, onDragged: set }}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        {basemap !== null && (
          <Button
            icon={<MapPin aria-hidden="true" className="size-5" />}
            onClick={() => {
              const middle = map.current?.view()
              if (middle) set({ latitude: middle.latitude, longitude: middle.longitude })
            }}
          >
            {t('picker.setHere')}
          </Button>
        )}
        {(typed.latitude || typed.longitude) && (
          <Button variant="quiet" onClick={() => set(null)}>
            {t('picker.remove')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

/** Five decimals are about a metre. */
const roundedTo = ({ latitude, longitude }: Position): Position => ({
  latitude: Number(latitude.toFixed(5)),
  longitude: Number(longitude.toFixed(5)),
})

const spelled = (place: Position | null) => ({
  latitude: place ? place.latitude.toFixed(5) : '',
  longitude: place ? place.longitude.toFixed(5) : '',
})

/** A typed number, with a comma or a point; null when it is none or out of reach. */
function numberIn(text: string, limit: number): number | null {
  const plain = text.trim().replace(',', '.').replace('−', '-')
  return /^[+-]?\d{1,3}(\.\d{1,15})?$/.test(plain) && Math.abs(Number(plain)) <= limit ? Number(plain) : null
}
