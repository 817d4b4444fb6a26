import { useEffect, useEffectEvent, useRef, useState } from 'react'
import MapPin from 'lucide-react/icons/map-pin'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import type { Position } from '../../kit/shared/geo.ts'
import type { Basemap, MapConfig } from '../contract.ts'
import type { MapTheme } from './engine.ts'
import { MapView, type MapHandle } from './MapView.tsx'
import { noOverlay } from './overlay.ts'
import { isSamePlace, latitudeIn, longitudeIn, placeIn, sentPlace, spelled, type TypedPlace } from './typed-place.ts'

/**
 * Asks a merchant for a place: by a tap on the map, a pin to drag, two numbers to type, or a button that sets the pin in the middle of
 * the map, which arrow keys move. Part of a form: the fields `latitude` and `longitude` work without a map too. `onChange` gets what
 * the form sends, mistakes included; two empty fields mean no place.
 */
export function LocationPicker({
  config,
  chosenTheme,
  value,
  onChange,
  faults = {},
}: {
  config: MapConfig
  chosenTheme: 'auto' | MapTheme
  value: TypedPlace
  onChange: (typed: TypedPlace) => void
  /** Faults of the fields by the server. */
  faults?: { latitude?: string | undefined; longitude?: string | undefined }
}) {
  const t = useTranslations('map')
  const map = useRef<MapHandle>(null)
  const [typed, setTyped] = useState(value)
  const [basemap, setBasemap] = useState<Basemap | null>(null)
  const at = placeIn(typed)
  const [start] = useState(() => ({ ...(at ?? config.center), zoom: at ? 16 : config.zoom }))

  // without WebGL the pin is drawn on the picture
  const drawn =
    basemap === 'outline' && at
      ? { ...noOverlay, places: [{ ...at, key: 'pin', icon: 'deal' as const, count: 1 }] }
      : noOverlay

  const sent = useRef(value)
  const send = (next: TypedPlace) => {
    setTyped(next)
    sent.current = sentPlace(next)
    onChange(sent.current)
  }
  const set = (place: Position | null) => send(spelled(place))
  const show = (next: TypedPlace) => {
    const place = placeIn(next)
    if (place) map.current?.goTo(place)
  }
  const type = (part: Partial<typeof typed>) => {
    const next = { ...typed, ...part }
    send(next)
    show(next)
  }
  // the value was changed from outside, such as to what somebody else has saved
  const takeOver = useEffectEvent(() => {
    if (isSamePlace(value, sent.current)) return
    sent.current = value
    setTyped(value)
    show(value)
  })
  useEffect(() => takeOver(), [value.latitude, value.longitude])

  return (
    <fieldset className="grid gap-3">
      <legend className="pb-3 text-lg font-semibold">{t('picker.place')}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7.5rem),1fr))] items-start gap-4">
        {fields.map(({ name, read, bad }) => (
          <TextField
            key={name}
            label={t(`picker.${name}`)}
            name={name}
            inputMode="decimal"
            autoComplete="off"
            value={typed[name]}
            onChange={(event) => type({ [name]: event.target.value })}
            live
            error={typed[name].trim() !== '' && read(typed[name]) === null ? t(`picker.${bad}`) : faults[name]}
          />
        ))}
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
          pin={{ at, onPlaced: set }}
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

const fields = [
  { name: 'latitude', read: latitudeIn, bad: 'badLatitude' },
  { name: 'longitude', read: longitudeIn, bad: 'badLongitude' },
] as const
