import type { Position } from '../../kit/shared/geo.ts'

export const positionTimeoutMs = 10_000

/** Own position; accuracy in metres. */
export type Own = Position & { accuracy: number }

/** Why there is no position: the browser was told not to give it, or does not know it. */
export type Refused = 'denied' | 'unknown'

export type AskedPosition = { place: Own; why: null } | { place: null; why: Refused }

/** Asks the browser where it is, for at most ten seconds. */
export function askPosition(): Promise<AskedPosition> {
  if (!('geolocation' in navigator)) return Promise.resolve({ place: null, why: 'unknown' })
  return new Promise((resolve) => {
    // some browsers never answer while their question stands open
    const timer = setTimeout(() => resolve({ place: null, why: 'unknown' }), positionTimeoutMs)
    const end = (answer: AskedPosition) => {
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
