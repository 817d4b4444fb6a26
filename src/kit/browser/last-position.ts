import { useSyncExternalStore } from 'react'
import type { Position } from '../shared/geo.ts'

const name = 'here'

/** Stores the position of this phone, to about 100 m, until the tab is closed, so that other pages can show distances. */
export function storeLastPosition({ latitude, longitude }: Position): void {
  try {
    sessionStorage.setItem(name, `${latitude.toFixed(3)},${longitude.toFixed(3)}`)
  } catch {
    // without storage only the list shows distances
  }
}

/** The last position of this phone; null on the server, and before it was asked for. */
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
