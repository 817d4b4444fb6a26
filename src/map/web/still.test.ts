import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { outlinePicture, outlineView } from '../outline-view.ts'
import { noOverlay, type Place } from './overlay.ts'
import { fromPlane, marksOf } from './still.ts'
import { onPlane, pictureAround } from './still-picture.ts'

const centre = { latitude: 47.5596, longitude: 7.5886 }
const place = (key: string, east: number, more: Partial<Place> = {}): Place => ({
  key,
  latitude: centre.latitude,
  longitude: centre.longitude + east,
  icon: 'deal',
  count: 1,
  ...more,
})

describe('the still picture', () => {
  it.each([
    [centre, 13],
    [{ latitude: 47.57, longitude: 7.6 }, 13],
    [{ latitude: 47.5613, longitude: 7.5866 }, 15.5],
  ])('is where the live map is, at %o, zoom %d', (at, zoom) => {
    const picture = pictureAround({ ...at, zoom })
    const scale = picture.width / outlineView.width
    const svg = readFileSync(`public${outlinePicture('paper', false)}`, 'utf8')
    for (const [name, latitude, longitude] of [
      ['Marktplatz', 47.5582, 7.5876],
      ['Claraplatz', 47.5618, 7.5939],
      ['Basel SBB', 47.547, 7.5896],
    ] as const) {
      const [, x, y] = new RegExp(`x="([\\d.]+)" y="([\\d.]+)"[^<]*>${name}<`).exec(svg)!.map(Number)
      const live = onPlane({ latitude, longitude }, zoom)
      const here = onPlane(at, zoom)
      expect(Math.abs(picture.y + y! * scale - (live.y - here.y)), name).toBeLessThan(2 * scale)
      expect(Math.abs(picture.x + x! * scale - (live.x - here.x)), name).toBeLessThan(2 * scale)
    }
  })

  it('has its natural size at zoom 13, and covers a wide screen there', () => {
    const { width, height } = pictureAround({ ...centre, zoom: 13 })
    expect([width, height]).toEqual([outlineView.width, outlineView.height])
    expect(width).toBeGreaterThan(1440)
  })

  it('converts between positions and the plane both ways', () => {
    const there = fromPlane(onPlane(centre, 14.3), 14.3)
    expect(there.latitude).toBeCloseTo(centre.latitude, 9)
    expect(there.longitude).toBeCloseTo(centre.longitude, 9)
  })
})

describe('the pins of a still map', () => {
  const near = [place('a', 0), place('b', 0.001, { count: 3 }), place('far', 0.03)]

  it('that overlap become one number, and are single again at a nearer zoom', () => {
    const marks = marksOf({ ...noOverlay, places: near }, 13)
    expect(marks.map(({ icon, count }) => `${icon} ${count}`).toSorted()).toEqual(['deal 1', 'deals 4'])
    expect(
      marks
        .find(({ icon }) => icon === 'deals')!
        .places.map(({ key }) => key)
        .toSorted(),
    ).toEqual(['a', 'b'])
    expect(marksOf({ ...noOverlay, places: near }, 17).map(({ icon }) => icon)).toEqual(['deal', 'deal', 'deal'])
  })

  it('that are premium count in a number, which knows how many they are; merchants are not counted with deals', () => {
    const places = [place('p', 0, { icon: 'premium' }), ...near.slice(0, 2), place('m', 0, { icon: 'merchant' })]
    const marks = (zoom: number) =>
      marksOf({ ...noOverlay, places }, zoom).map(({ icon, count, lanterns }) => [icon, count, lanterns])
    expect(marks(13)).toEqual([
      ['merchant', 1, 0],
      ['deals', 5, 1],
    ])
    // a lantern is above drops
    expect(marks(17)).toEqual([
      ['merchant', 1, 0],
      ['deal', 1, 0],
      ['deal', 3, 0],
      ['premium', 1, 1],
    ])
  })

  it('of merchants move aside as a whole from what covers them', () => {
    const clusters = [{ ...centre, count: 12, of: 'merchants' as const }]
    const deal = { ...centre, key: 'a', icon: 'deal' as const, count: 1 }
    const [ring, pin] = marksOf({ clusters, places: [deal] }, 13)
    expect([ring!.icon, pin!.icon]).toEqual(['merchants', 'deal'])
    expect(pin!.y - ring!.y).toBeGreaterThan(16 + 11)
    const [alone] = marksOf({ clusters, places: [] }, 13)
    expect([alone!.x, alone!.y]).toEqual([pin!.x, pin!.y])
  })

  it('are added to clusters of the server', () => {
    const clusters = [{ ...centre, count: 2500, of: 'deals' as const }]
    const [mark] = marksOf({ places: near.slice(0, 1), clusters }, 13)
    expect(mark).toMatchObject({ icon: 'deals', count: 2501 })
  })

  it('lose nothing, however many there are', () => {
    const places = Array.from({ length: 2000 }, (_, n) =>
      place(String(n), ((n * 37) % 1000) / 20_000, { latitude: centre.latitude + ((n * 61) % 1000) / 20_000 }),
    )
    const marks = marksOf({ places, clusters: [] }, 13)
    expect(marks.length).toBeLessThan(300)
    expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(2000)
    expect(new Set(marks.flatMap((mark) => mark.places.map(({ key }) => key))).size).toBe(2000)
  })
})
