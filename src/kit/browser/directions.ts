import type { Position } from '../shared/geo.ts'
import { fixed } from '../shared/numbers.ts'

/** `web` is OpenStreetMap; `geo` asks an Android phone for its own maps app. */
export type MapsApp = 'web' | 'google' | 'apple' | 'geo'

/** Link to the walking route from the current position to a place. */
export function directionsTo({ latitude, longitude }: Position, app: MapsApp = 'web', name = ''): string {
  const at = `${latitude},${longitude}`
  if (app === 'geo') return `geo:${at}?q=${at}(${encodeURIComponent(name).replace(/[()]/g, '')})`
  if (app === 'apple') return `https://maps.apple.com/?daddr=${at}&dirflg=w`
  if (app === 'google') return `https://www.google.com/maps/dir/?api=1&destination=${at}&travelmode=walking`
  return `https://www.openstreetmap.org/directions?engine=fossgis_osrm_foot&route=${encodeURIComponent(`;${at}`)}`
}

/** The maps app of a device; `choice`: ask the person. An iPad calls itself a Mac, but has a touchscreen. */
export function mapsAppOf({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): 'geo' | 'apple' | 'choice' {
  if (/Android/.test(userAgent)) return 'geo'
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1) ? 'apple' : 'choice'
}

/** "47.55960, 7.58860" */
export function coordinates({ latitude, longitude }: Position): string {
  return `${fixed(latitude, 5)}, ${fixed(longitude, 5)}`
}
