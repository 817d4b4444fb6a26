import { describe, expect, it } from 'vitest'
import {
  mapStart,
  mapWith,
  onThisMap,
  readMapQuery,
  roundedPlace,
  searchedFrom,
  zoomToSee,
  searchOf,
  showsLayer,
} from './deals-map-query.ts'
import { noOverlay, overlayFeatures, overlaySources } from '../../map/web/overlay.ts'
import { placesOf } from './places.ts'

const centre = { latitude: 47.5596, longitude: 7.5886 }
const read = (text: string) => readMapQuery(new URLSearchParams(text))

describe('the address of the map', () => {
  it('shows useful places for words that ask for them, whichever layers are chosen', () => {
    for (const q of ['toilet', 'Wasser', 'premiers secours']) expect(showsLayer(read(`q=${q}`), 'places')).toBe(true)
    for (const q of ['fondue', 'lost', '']) expect(showsLayer(read(`q=${q}`), 'places')).toBe(false)
  })

  it('has the six filters of the specification by default', () => {
    expect(searchOf(read(''), centre)).toEqual({
      category: '',
      openNow: 'false',
      sponsored: 'false',
      radius: '5',
      lat: '47.5596',
      lon: '7.5886',
    })
  })

  it.each([
    ['near=47.554,7.601&lat=47.6&lon=7.6', '47.554', '7.601'],
    ['near=centre&lat=47.6&lon=7.6', '47.5596', '7.5886'],
    ['lat=47.6&lon=7.61', '47.6', '7.61'],
    ['near=moon', '47.5596', '7.5886'],
    ['lat=47.6', '47.5596', '7.5886'],
  ])('%s searches around %s, %s', (text, lat, lon) => {
    expect(searchOf(read(text), centre)).toMatchObject({ lat, lon })
  })

  it('allows a view of the map apart from the search', () => {
    expect(mapStart(read('near=47.554,7.601&lat=47.6&lon=7.6&z=15.2'), centre)).toEqual({
      latitude: 47.6,
      longitude: 7.6,
      zoom: 15.2,
    })
    expect(mapStart(read(''), centre)).toEqual({ ...centre, zoom: 13 })
    expect(mapStart(read('lat=47.6&lon=7.6&deal=x'), centre).zoom).toBeGreaterThan(15)
    expect(mapStart(read('bbox=7.5,47.5,7.7,47.7'), centre).latitude).toBeCloseTo(47.6)
  })

  it.each(['lat=abc&lon=7', 'lat=91&lon=7', 'z=abc', 'bbox=1,2,3', 'bbox=9,9,1,1', 'radius=0', 'sort=cheap', 'q=%00'])(
    'ignores unusable values: %s',
    (text) => {
      expect(read(text)).toEqual({})
    },
  )

  describe('with a place beyond the map', () => {
    const bounds = { west: 7.43, south: 47.45, east: 7.75, north: 47.67 }
    it.each([
      ['lat=46.948&lon=7.447&z=15&q=bar', { q: 'bar', near: '46.948,7.447' }, 'search'],
      ['near=46.948,7.447', { near: '46.948,7.447' }, 'search'],
      ['near=46.948,7.447&lat=47.56&lon=7.59', { near: '46.948,7.447', lat: '47.56', lon: '7.59' }, 'search'],
      ['bbox=8,46,9,47&radius=2', { radius: '2' }, 'box'],
    ])('%s is the centre of the search, but not of the map', (text, query, beyond) => {
      expect(onThisMap(read(text), bounds)).toEqual({ query, beyond })
    })
    it('the map starts at the festival', () => {
      expect(mapStart({ near: '46.948,7.447' }, centre, 13, bounds)).toEqual({ ...centre, zoom: 13 })
    })
    it.each(['', 'near=centre', 'lat=47.56&lon=7.59&z=15', 'bbox=7.2,47.4,7.5,47.5', 'near=47.554,7.601'])(
      '%s is within the map and stays',
      (text) => {
        expect(onThisMap(read(text), bounds)).toEqual({ query: read(text), beyond: null })
      },
    )
  })

  it('reads layers as sent by a form and as in a link', () => {
    for (const text of ['layers=deals&layers=merchants', 'layers=deals,merchants', 'layers=merchants,deals,moon'])
      expect(read(text).layers).toBe('deals,merchants')
    expect(showsLayer(read('layers=merchants'), 'deals')).toBe(false)
    expect(showsLayer(read('layers=none'), 'deals')).toBe(true)
  })

  it('leaves out defaults', () => {
    expect(mapWith(read('q=bar&radius=2'), { radius: '5', sort: 'best', layers: 'deals' })).toBe('/dealsmap?q=bar')
    expect(mapWith(read('q=bar'), { q: null })).toBe('/dealsmap')
  })

  it('has one card open at most: the last one', () => {
    expect(mapWith(read('deal=a&z=15'), { business: 'm' })).toBe('/dealsmap?z=15&business=m')
    expect(mapWith(read('business=m&z=15'), { deal: 'a' })).toBe('/dealsmap?z=15&deal=a')
    expect(mapWith(read('at=7.5,47.5,7.6,47.6'), { deal: 'a' })).toBe('/dealsmap?deal=a')
    expect(read('deal=a&business=m&at=7.5,47.5,7.6,47.6')).toEqual({ deal: 'a' })
    expect(read('at=7.5,47.5,7.6,north')).toEqual({})
    expect(mapStart(read('lat=47.6&lon=7.6&business=m'), centre).zoom).toBeGreaterThan(15)
  })

  describe('of a map that is not where its search is', () => {
    const at = {
      latitude: 47.57,
      longitude: 7.61,
      zoom: 14,
      bounds: { west: 7.59, south: 47.56, east: 7.63, north: 47.58 },
    }
    it('gives the searched view: around the centre, around a place', () => {
      const there = searchedFrom(read('near=centre&lat=47.57&lon=7.61&z=14'), centre, at)
      expect([there.latitude, there.longitude, there.zoom]).toEqual([47.5596, 7.5886, 14])
      expect(there.bounds.east - there.bounds.west).toBeCloseTo(0.04)
      expect((there.bounds.south + there.bounds.north) / 2).toBeCloseTo(47.5596)
      expect(searchedFrom(read('near=47.55,7.6&lat=47.57&lon=7.61'), centre, at)).toMatchObject({ latitude: 47.55 })
    })
    it('gives an area the zoom at which it fills the map', () => {
      const area = searchedFrom(read('bbox=7.60,47.565,7.62,47.575&lat=47.57&lon=7.61&z=14'), centre, at)
      expect(area.latitude).toBeCloseTo(47.57)
      expect(area.longitude).toBeCloseTo(7.61)
      expect(area.zoom).toBeCloseTo(15)
    })
    it('is the view itself where the map was not moved', () => {
      expect(searchedFrom(read('q=bar'), centre, at)).toBe(at)
      expect(searchedFrom(read('near=47.55,7.6'), centre, at)).toBe(at)
    })
  })

  describe('whose results are out of sight', () => {
    const seen = { ...centre, zoom: 13, bounds: { west: 7.57, south: 47.55, east: 7.6072, north: 47.5692 } }
    const east = (degrees: number) => ({ latitude: centre.latitude, longitude: centre.longitude + degrees })
    it('zooms out to the nearest result, with a margin', () => {
      const zoom = zoomToSee([east(0.1), east(-0.0372)], centre, seen)!
      expect(zoom).toBeCloseTo(13 - Math.log2(2 * 1.3))
    })
    it('stays if a result is visible, or there is none', () => {
      expect(zoomToSee([east(0.1), east(0.01)], centre, seen)).toBeNull()
      expect(zoomToSee([], centre, seen)).toBeNull()
    })
  })

  it('rounds positions, so that no address can be inferred', () => {
    expect(roundedPlace({ latitude: 47.554321, longitude: 7.601987 })).toBe('47.554,7.602')
  })
})

describe('pins', () => {
  const deal = (deal_id: string, latitude: number, is_premium = false) => ({
    deal_id,
    latitude,
    longitude: 7.5,
    is_premium,
    category: 'food' as const,
    time: 'now' as const,
  })
  const merchant = { business_id: 'm', business_name: 'M', category: 'food', latitude: 47.1, longitude: 7.5 }

  const nothing = { merchants: [], events: [], places: [] }

  it('gather things at one coordinate; a lantern if one is premium', () => {
    const places = placesOf(
      {
        deals: [deal('a', 47.1), deal('b', 47.1000001, true), deal('c', 47.2)],
        clusters: [],
        merchants: [merchant, { ...merchant, business_id: 'n', latitude: 47.3 }],
        merchantClusters: [],
      },
      nothing,
    )
    expect(places.map(({ icon, count, ids }) => [icon, count, ids])).toEqual([
      ['premium', 2, ['a', 'b', 'm']],
      ['deal', 1, ['c']],
      ['merchant', 1, ['n']],
    ])
  })

  it('look like the deal that can be used soonest', () => {
    const later = { ...deal('a', 47.1), category: 'drinks' as const, time: 'later' as const }
    const [place] = placesOf(
      { deals: [later, deal('b', 47.1)], clusters: [], merchants: [], merchantClusters: [] },
      nothing,
    )
    expect(place).toMatchObject({ category: 'food', time: 'now', count: 2 })
  })

  it('are those of the list until the map’s own have loaded; no single ones beside clusters of merchants', () => {
    const empty = { deals: [], clusters: [], merchants: [], merchantClusters: [] }
    const listed = { ...nothing, merchants: [merchant] as never }
    expect(placesOf(empty, listed)).toHaveLength(1)
    expect(
      placesOf({ ...empty, merchantClusters: [{ cluster: 2203, latitude: 47.1, longitude: 7.5 }] }, listed),
    ).toEqual([])
  })

  it('of venues and useful places have their own glyphs, except beside a merchant', () => {
    const empty = { deals: [], clusters: [], merchants: [merchant], merchantClusters: [] }
    const venue = { venue_id: 'v', latitude: 47.3, longitude: 7.5, now: {} } as never
    const places = [
      { place_id: 'w', kind: 'toilet', latitude: 47.4, longitude: 7.5 },
      { place_id: 'x', kind: 'water', latitude: 47.1, longitude: 7.5 },
    ] as never
    const found = placesOf(empty, { ...nothing, events: [venue], places })
    expect(found.map(({ icon, look, ids }) => [icon, look, ids])).toEqual([
      ['merchant', undefined, ['m', 'x']],
      ['merchant', 'venue-now', ['v']],
      ['merchant', 'toilet', ['w']],
    ])
  })

  it('gather deals with deals, the rest with the rest, and one pin counts both', () => {
    const pins = {
      deals: [deal('a', 47.1), deal('b', 47.2)],
      clusters: [],
      merchants: [merchant],
      merchantClusters: [],
    }
    const venue = (venue_id: string, latitude: number) => ({ venue_id, latitude, longitude: 7.5, now: null }) as never
    const spot = { place_id: 'w', kind: 'toilet', latitude: 47.1, longitude: 7.5 } as never
    const places = placesOf(pins, { merchants: [], events: [venue('v', 47.1), venue('u', 47.3)], places: [spot] })
    expect(places.map(({ icon, count, ids }) => [icon, count, ids])).toEqual([
      // a deal and its merchant count once; the venue and the toilet count too
      ['deal', 3, ['a', 'm', 'v', 'w']],
      ['deal', 1, ['b']],
      ['merchant', 1, ['u']],
    ])
    const clusters = [{ latitude: 47, longitude: 7.5, count: 40, of: 'merchants' as const }]
    const drawn = overlayFeatures({ ...noOverlay, places, clusters })
    const sum = (source: string) =>
      drawn[source]!.features.reduce((all, { properties }) => all + Number(properties!['count']), 0)
    expect([sum(overlaySources.deals), sum(overlaySources.merchants)]).toEqual([4, 41])
  })

  it('include the merchant whose card is open once, beside clusters too', () => {
    const gathered = { deals: [], clusters: [], merchants: [], merchantClusters: [{ cluster: 9, ...centre }] }
    expect(placesOf(gathered, nothing, merchant).map(({ ids }) => ids)).toEqual([['m']])
    expect(placesOf({ ...gathered, merchants: [merchant] }, nothing, merchant).map(({ ids }) => ids)).toEqual([['m']])
  })
})
