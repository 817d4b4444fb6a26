import { expect, it } from 'vitest'
import { directionsTo, mapsAppOf } from './directions.ts'

const place = { latitude: 47.5596, longitude: 7.5886 }

it('directions open the maps app of a phone, and a map on the web elsewhere', () => {
  expect(directionsTo(place, 'geo', 'Bar (Nord)')).toBe('geo:47.5596,7.5886?q=47.5596,7.5886(Bar%20Nord)')
  expect(directionsTo(place, 'apple')).toBe('https://maps.apple.com/?daddr=47.5596,7.5886&dirflg=w')
  expect(directionsTo(place)).toContain('openstreetmap.org')
})

it.each([
  ['Mozilla/5.0 (Linux; Android 14; Pixel 8)', 5, 'geo'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, 'apple'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, 'apple'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, 'choice'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 0, 'choice'],
])('%s with %i touch points opens %s', (userAgent, maxTouchPoints, app) => {
  expect(mapsAppOf({ userAgent, maxTouchPoints })).toBe(app)
})
