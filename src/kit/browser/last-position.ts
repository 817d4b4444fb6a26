import { useSyncExternalStore } from 'react'
import type { Position } from '../shared/geo.ts'
import { tabStorage } from './storage.ts'
import { fixed } from '../shared/numbers.ts'

const name = 'here'

/** Stores the position of this phone, to about 100 m, until the tab is closed, so that other pages can show distances. */
export function storeLastPosition({ latitude, longitude }: Position): void {
  tabStorage.set(name, `${fixed(latitude, 3)},${fixed(longitude, 3)}`)
}

/** The last position of this phone; null on the server, and before it was asked for. */
export function useLastPosition(): Position | null {
  const text = useSyncExternalStore(never, stored, () => null)
  const [latitude, longitude] = (text ?? '').split(',').map(Number)
  return latitude && longitude ? { latitude, longitude } : null
}

const never = () => () => {}

const stored = () => tabStorage.get(name)
