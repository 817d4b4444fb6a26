import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { drawnFeatures, type Feature, type Point } from './drawing.ts'

/**
 * Measures the bundled drawing of Basel against reference geodata:
 *
 *     npm run map:accuracy -- FOLDER
 *
 * Prints one line per criterion and what misses it, and ends with exit code 1 if one fails. Distances in metres on a
 * flat sheet around Basel (error below 0.1 % inside the canton).
 */
export type Finding = { criterion: string; bar: string; ours: string; pass: boolean; misses: string[] }

export function measureDrawing(folder: string): Finding[] {
  const reference = (name: string) =>
    (JSON.parse(readFileSync(join(folder, `${name}.geojson`), 'utf8')) as { features: Feature[] }).features
  const streets = reference('strassen')
  const stops = reference('haltestellen')

  return [
    measureRhine(drawnFeatures('rhein'), reference('rhein')),
    ...measureBridges(drawnFeatures('strassen'), drawnFeatures('bahn'), streets, reference('bahn')),
    measureFerries(drawnFeatures('faehren'), reference('faehren')),
    ...measureTrams(drawnFeatures('tram'), reference('tram'), streets),
    ...measureStreets(drawnFeatures('strassen'), streets),
    measurePlaces(drawnFeatures('haltestellen'), drawnFeatures('plaetze'), stops, streets),
    measureParks(drawnFeatures('parks'), reference('parks')),
    ...measureQuarters(drawnFeatures('quartiere-labels'), drawnFeatures('quartiere'), reference('quartiere')),
    measureStations(drawnFeatures('bahn'), stops),
    measureCanton(drawnFeatures('kanton'), reference('kanton')),
  ]
}

function measureRhine(ours: Feature[], theirs: Feature[]): Finding {
  const overlap = intersectionOverUnion(ours, theirs, 5)
  return finding('Rhine, bank to bank', 'IoU ≥ 0.90', `IoU ${overlap.toFixed(3)}`, overlap >= 0.9)
}

function measureBridges(ours: Feature[], ourRails: Feature[], theirs: Feature[], theirRails: Feature[]): Finding[] {
  const crossings = linesOf(theirs.filter((each) => each.properties.b))
  const bridges = ours.filter((each) => each.properties.b)
  const far = bridges.map((bridge) => [String(bridge.properties.n), farthest(linesOf([bridge]), crossings)] as const)

  const water = drawnFeatures('rhein')
  const overWater = samples(linesOf(ourRails), 10).filter((point) => isInside(point, water))
  const railway = Math.max(...overWater.map((point) => distanceToLines(point, linesOf(theirRails))))
  const all = [...far, ['Eisenbahnbrücke', overWater.length ? railway : Infinity] as const]

  const uncovered = samples(crossings, 20).filter((point) => distanceToLines(point, linesOf(bridges)) > 60)
  return [
    finding(
      'Bridges, whole line',
      '6, each ≤ 30 m',
      `${all.length}, worst ${metres(Math.max(...all.map(([, far_]) => far_)))}`,
      all.length >= 6 && all.every(([, distance]) => distance <= 30),
      all.filter(([, distance]) => distance > 30).map(([name, distance]) => `${name} ${metres(distance)}`),
    ),
    finding('No crossing forgotten', 'all ≤ 60 m', `${uncovered.length} samples beyond`, uncovered.length === 0),
  ]
}

function measureFerries(ours: Feature[], theirs: Feature[]): Finding {
  const far = ours.map((ferry) => {
    const same = linesOf(theirs.filter((each) => each.properties.name === ferry.properties.name))
    return Math.max(farthest(linesOf([ferry]), same), farthest(same, linesOf([ferry])))
  })
  const worst = Math.max(...far)
  return finding(
    'Ferries, both ways',
    '4, each ≤ 30 m',
    `${far.length}, worst ${metres(worst)}`,
    far.length === 4 && worst <= 30,
  )
}

/** The inner city as the festival walks it: from the Zoo to the Badischer Bahnhof, from the station to Dreirosen. */
const innerCity = { west: 7.57, south: 47.545, east: 7.61, north: 47.5715 }

/** The reference knows the tracks of 2016; a newer stretch counts where it runs in a street. */
function measureTrams(ours: Feature[], theirs: Feature[], streets: Feature[]): Finding[] {
  const off = ours.flatMap((track) =>
    samples(linesOf([track]), 20)
      .map((point) => ({ track, point, distance: distanceToLines(point, linesOf(theirs)) }))
      .filter(({ distance }) => distance > 40),
  )
  const newer = off.filter(({ point }) => distanceToLines(point, linesOf(streets)) <= 20)
  const inner = samples(linesOf(theirs), 20).filter(isInnerCity)
  const covered = inner.filter((point) => distanceToLines(point, linesOf(ours)) <= 40).length / inner.length
  const numbersOf = (tracks: Feature[]) => new Set(tracks.flatMap((each) => String(each.properties.lines).split(',')))
  const innerTracks = theirs.filter((each) => linesOf([each]).flat().some(isInnerCity))
  const missing = [...numbersOf(innerTracks)].filter((number) => !numbersOf(ours).has(number))
  return [
    finding(
      'Tram tracks, each 20 m',
      'all ≤ 40 m',
      `${off.length - newer.length} beyond, ${newer.length} in a street since`,
      off.length === newer.length,
      off.map(({ track, point, distance }) => `${track.properties.lines} at ${written(point)} ${metres(distance)}`),
    ),
    finding(
      'Trams of the inner city',
      '≥ 95 % of the tracks, every line',
      `${(covered * 100).toFixed(1)} %, ${numbersOf(ours).size} lines`,
      covered >= 0.95 && missing.length === 0,
      missing.map((number) => `line ${number} missing`),
    ),
  ]
}

function measureStreets(ours: Feature[], theirs: Feature[]): Finding[] {
  const byName = Map.groupBy(theirs, (each) => String(each.properties.n))
  const lanes = ours.filter((each) => each.properties.c === 'pedestrian')
  const streets = ours.filter((each) => each.properties.c !== 'pedestrian' && !each.properties.b)
  const offVertices: string[] = []
  const offSamples: string[] = []
  const good = new Set<string>()
  for (const street of streets) {
    const name = String(street.properties.n)
    const same = linesOf(byName.get(name) ?? [])
    const off = linesOf([street])
      .flat()
      .filter((point) => distanceToLines(point, same) > 40)
    offVertices.push(...off.map((point) => `${name} ${written(point)} ${metres(distanceToLines(point, same))}`))
    if (off.length === 0) good.add(name)
    offSamples.push(
      ...samples(linesOf([street]), 20)
        .filter((point) => distanceToLines(point, same) > 40)
        .map((point) => `${name} near ${written(point)} ${metres(distanceToLines(point, same))}`),
    )
  }
  const offLanes = lanes.flatMap((lane) =>
    linesOf([lane])
      .flat()
      .filter((point) => distanceToLines(point, linesOf(theirs)) > 40)
      .map((point) => `${lane.properties.n} ${written(point)}`),
  )
  return [
    finding(
      'Named streets, drawn points',
      '≥ 60 names, all ≤ 40 m',
      `${good.size} names, ${offVertices.length} points beyond`,
      good.size >= 60 && offVertices.length === 0,
      offVertices,
    ),
    finding(
      'Named streets, each 20 m',
      'all ≤ 40 m',
      `${offSamples.length} beyond`,
      offSamples.length === 0,
      offSamples,
    ),
    finding(
      'Lanes and squares, to any way',
      'all ≤ 40 m',
      `${lanes.length}, ${offLanes.length} points beyond`,
      offLanes.length === 0,
      offLanes,
    ),
  ]
}

/** Stops by name; squares by the street of that name, otherwise by the stop of that name. */
function measurePlaces(ourStops: Feature[], ourSquares: Feature[], stops: Feature[], streets: Feature[]): Finding {
  const plain = (name: unknown) =>
    String(name)
      .replaceAll(',', '')
      .replace(/^Basel /, '')
  const stopsOf = (name: unknown) =>
    stops
      .filter((each) => plain(each.properties.name) === plain(name))
      .map((each) => [each.geometry.coordinates as Point])
  const off: string[] = []
  const unknown: string[] = []
  const good = new Set<string>()
  const judge = (name: string, place: Point, theirs: Point[][]) => {
    if (theirs.length === 0) return unknown.push(`${name}: not in the reference`)
    const distance = distanceToLines(place, theirs)
    if (distance <= 40) good.add(name)
    else off.push(`${name} ${metres(distance)}`)
  }
  for (const stop of ourStops)
    judge(String(stop.properties.name), stop.geometry.coordinates as Point, stopsOf(stop.properties.name))
  for (const square of ourSquares) {
    const name = String(square.properties.name)
    const street = linesOf(streets.filter((each) => each.properties.n === name))
    judge(`${name} (square)`, centre(ringsOf([square])[0]!), street.length ? street : stopsOf(name))
  }
  return finding(
    'Squares, stations, stops',
    '≥ 60, each ≤ 40 m',
    `${good.size}, ${off.length} beyond, ${unknown.length} not in the reference`,
    good.size >= 60 && off.length === 0,
    [...off, ...unknown],
  )
}

function measureParks(ours: Feature[], theirs: Feature[]): Finding {
  const named = (features: Feature[], name: string) => features.filter((each) => each.properties.name === name)
  const judged = [...new Set(ours.map((park) => String(park.properties.name)))].map((name) => {
    const [drawn, real] = [named(ours, name), named(theirs, name)]
    if (real.length === 0) return { name }
    return { name, distance: distance(middleOf(drawn), middleOf(real)), overlap: intersectionOverUnion(drawn, real, 4) }
  })
  const isGood = (park: (typeof judged)[number]) => (park.distance ?? Infinity) <= 40 && (park.overlap ?? 0) >= 0.6
  const good = judged.filter(isGood)
  return finding(
    'Parks',
    '≥ 20, centre ≤ 40 m, IoU ≥ 0.6',
    `${good.length} of ${judged.length}, lowest IoU ${Math.min(...good.map((park) => park.overlap!)).toFixed(2)}`,
    good.length >= 20,
    judged
      .filter((park) => !isGood(park))
      .map((park) =>
        park.overlap === undefined
          ? `${park.name}: not in the reference`
          : `${park.name} ${metres(park.distance!)}, IoU ${park.overlap.toFixed(2)}`,
      ),
  )
}

function measureQuarters(labels: Feature[], areas: Feature[], theirs: Feature[]): Finding[] {
  const named = (features: Feature[], name: unknown) => features.filter((each) => each.properties.name === name)
  const inside = theirs.filter((quarter) =>
    named(labels, quarter.properties.name).some((label) => isInside(label.geometry.coordinates as Point, [quarter])),
  )
  const overlaps = theirs.map((quarter) => ({
    name: String(quarter.properties.name),
    overlap: intersectionOverUnion(named(areas, quarter.properties.name), [quarter], 10),
  }))
  return [
    finding(
      'Quarter names inside their quarter',
      '19 + 2',
      `${inside.length}`,
      inside.length >= 21,
      theirs.filter((each) => !inside.includes(each)).map((each) => String(each.properties.name)),
    ),
    finding(
      'Quarter shapes',
      'each IoU ≥ 0.85',
      `lowest ${Math.min(...overlaps.map((each) => each.overlap)).toFixed(2)}`,
      overlaps.every((each) => each.overlap >= 0.85),
      overlaps.filter((each) => each.overlap < 0.85).map((each) => `${each.name} IoU ${each.overlap.toFixed(2)}`),
    ),
  ]
}

function measureStations(rails: Feature[], stops: Feature[]): Finding {
  const stations = stops.filter(
    (each) => each.properties.t === 'train' && /^(Basel|Riehen|Muttenz)/.test(String(each.properties.name)),
  )
  const far = stations.map((station) => ({
    name: String(station.properties.name),
    distance: distanceToLines(station.geometry.coordinates as Point, linesOf(rails)),
  }))
  const worst = Math.max(...far.map((each) => each.distance))
  return finding(
    'Stations beside a drawn railway',
    'each ≤ 60 m',
    `${far.length}, worst ${metres(worst)}`,
    worst <= 60,
    far.filter((each) => each.distance > 60).map((each) => `${each.name} ${metres(each.distance)}`),
  )
}

function measureCanton(ours: Feature[], theirs: Feature[]): Finding {
  const overlap = intersectionOverUnion(ours, theirs, 20)
  return finding('Canton', 'IoU ≥ 0.95', `IoU ${overlap.toFixed(3)}`, overlap >= 0.95)
}

function finding(criterion: string, bar: string, ours: string, pass: boolean, misses: string[] = []): Finding {
  return { criterion, bar, ours, pass, misses }
}

// — the flat sheet —

const metresPerLon = 111_320 * Math.cos((47.56 * Math.PI) / 180)
const metresPerLat = 111_180

const flat = ([lon, lat]: Point): [number, number] => [(lon - 7.59) * metresPerLon, (lat - 47.56) * metresPerLat]

function distance(one: Point, other: Point): number {
  const [a, b] = [flat(one), flat(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1])
}

function distanceToLines(point: Point, lines: Point[][]): number {
  const [x, y] = flat(point)
  let nearest = Infinity
  for (const line of lines) {
    if (line.length === 1) nearest = Math.min(nearest, distance(point, line[0]!))
    for (let index = 1; index < line.length; index++) {
      const [ax, ay] = flat(line[index - 1]!)
      const [bx, by] = flat(line[index]!)
      const [dx, dy] = [bx - ax, by - ay]
      const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)))
      nearest = Math.min(nearest, Math.hypot(ax + along * dx - x, ay + along * dy - y))
    }
  }
  return nearest
}

const farthest = (lines: Point[][], from: Point[][]) =>
  Math.max(...samples(lines, 20).map((point) => distanceToLines(point, from)))

/** Points along the lines, at most `stepMetres` apart, with every vertex. */
function samples(lines: Point[][], stepMetres: number): Point[] {
  return lines.flatMap((line) =>
    line.flatMap((point, index): Point[] => {
      const next = line[index + 1]
      if (!next) return [point]
      const steps = Math.ceil(distance(point, next) / stepMetres) || 1
      return Array.from({ length: steps }, (_, step) => [
        point[0] + ((next[0] - point[0]) * step) / steps,
        point[1] + ((next[1] - point[1]) * step) / steps,
      ])
    }),
  )
}

function linesOf(features: Feature[]): Point[][] {
  return features.flatMap(({ geometry }) => (geometry.type === 'LineString' ? [geometry.coordinates] : []))
}

/** Outer and inner rings alike: a point is inside when it lies in an odd number of them. */
function ringsOf(features: Feature[]): Point[][] {
  return features.flatMap(({ geometry }) =>
    (geometry.type as string) === 'MultiPolygon'
      ? (geometry.coordinates as unknown as Point[][][]).flat()
      : geometry.type === 'Polygon'
        ? geometry.coordinates
        : [],
  )
}

const isInside = (point: Point, areas: Feature[]) => isInRings(point, ringsOf(areas))

function isInRings([x, y]: Point, rings: Point[][]): boolean {
  let inside = false
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [a, b] = [ring[i]!, ring[j]!]
      if (a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside
    }
  }
  return inside
}

const isInnerCity = ([lon, lat]: Point) =>
  lon > innerCity.west && lon < innerCity.east && lat > innerCity.south && lat < innerCity.north

const centre = (ring: Point[]) => middleOf([{ geometry: { type: 'Polygon', coordinates: [ring] } } as Feature])

/** The centre of mass of all areas together. */
function middleOf(features: Feature[]): Point {
  const rings = ringsOf(features)
  const [lon0, lat0] = rings[0]![0]!
  let [area, lon, lat] = [0, 0, 0]
  for (const ring of rings) {
    const sums = moments(ring, lon0, lat0)
    area += sums[0]
    lon += sums[1]
    lat += sums[2]
  }
  return [lon0 + lon / area / 3, lat0 + lat / area / 3]
}

function moments(ring: Point[], lon0: number, lat0: number): [number, number, number] {
  let [area, lon, lat] = [0, 0, 0]
  for (let index = 0; index < ring.length; index++) {
    const [a, b] = [ring[index]!, ring[(index + 1) % ring.length]!]
    const cross = (a[0] - lon0) * (b[1] - lat0) - (b[0] - lon0) * (a[1] - lat0)
    area += cross
    lon += (a[0] + b[0] - 2 * lon0) * cross
    lat += (a[1] + b[1] - 2 * lat0) * cross
  }
  const sign = area < 0 ? -1 : 1
  return [sign * area, sign * lon, sign * lat]
}

/** Counted on a grid of points; the finer the step, the truer. */
function intersectionOverUnion(ours: Feature[], theirs: Feature[], stepMetres: number): number {
  const [a, b] = [ringsOf(ours), ringsOf(theirs)]
  const corners = [...a, ...b].flat()
  const lons = corners.map(([lon]) => lon)
  const lats = corners.map(([, lat]) => lat)
  let [both, either] = [0, 0]
  for (let lon = Math.min(...lons); lon <= Math.max(...lons); lon += stepMetres / metresPerLon) {
    for (let lat = Math.min(...lats); lat <= Math.max(...lats); lat += stepMetres / metresPerLat) {
      const [inOurs, inTheirs] = [isInRings([lon, lat], a), isInRings([lon, lat], b)]
      if (inOurs && inTheirs) both++
      if (inOurs || inTheirs) either++
    }
  }
  return both / either
}

const metres = (value: number) => `${value.toFixed(0)} m`

const written = ([lon, lat]: Point) => `${lon.toFixed(4)}, ${lat.toFixed(4)}`

if (import.meta.main) {
  const folder = process.argv[2]
  if (!folder) throw new Error('Say where the reference lies: npm run map:accuracy -- FOLDER')
  const findings = measureDrawing(resolve(process.env['INIT_CWD'] ?? '.', folder))
  for (const { criterion, bar, ours, pass, misses } of findings) {
    console.log(`${criterion.padEnd(36)}${bar.padEnd(34)}${ours.padEnd(46)}${pass ? 'pass' : 'FAIL'}`)
    for (const miss of misses) console.log(`    ${miss}`)
  }
  if (findings.some(({ pass }) => !pass)) process.exitCode = 1
}
