import type { Position } from '../shared/geo.ts'

export const positionTimeoutMs = 10_000

/** Own position; accuracy in metres. */
export type OwnPosition = Position & { accuracy: number }

/** Why there is no position: the visitor denied it, or the browser does not know it. */
export type PositionRefusal = 'denied' | 'unknown'

export type PositionAnswer = { place: OwnPosition; why: null } | { place: null; why: PositionRefusal }

/** Asks the browser where it is, for at most ten seconds. */
export function askPosition(): Promise<PositionAnswer> {
  if (!('geolocation' in navigator)) return Promise.resolve({ place: null, why: 'unknown' })
  return new Promise((resolve) => {
    // some browsers never answer while their permission prompt is open
    const timer = setTimeout(() => resolve({ place: null, why: 'unknown' }), positionTimeoutMs)
    const end = (answer: PositionAnswer) => {
      clearTimeout(timer)
      resolve(answer)
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        end({
          place: { latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy },
          why: null,
        }),
      ({ code }) => end({ place: null, why: code === 1 ? 'denied' : 'unknown' }),
      { timeout: positionTimeoutMs, maximumAge: 60_000 },
    )
  })
}
