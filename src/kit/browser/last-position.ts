import { useSyncExternalStore } from 'react'
import type { Position } from '../shared/geo.ts'

const name = 'here'

/** Remembers where this phone is, to about 100 m, until the tab is closed: so that the next page tells how far it is. */
export function storeLastPosition({ latitude, longitude }: Position): void {
  try {
    sessionStorage.setItem(name, `${latitude.toFixed(3)},${longitude.toFixed(3)}`)
  } catch {
    // without storage distances are told on the list alone
  }
}

/** Where this phone was last seen; null on the server and where nobody has asked for it. */
export function useLastPosition(): Position | null {
  const text = useSyncExternalStore(never, stored, () => null)
  const [latitude, longitude] = (text ?? '').split(',').map(Number)
  return latitude && longitude ? { latitude, longitude } : null
}

const never = () => () => {}

function stored(): string | null {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}
