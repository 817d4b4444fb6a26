import { readTable, tableRowsMax, tooManyRows } from '../../kit/server/csv-table.ts'
import { decodeText } from '../../kit/server/decode-text.ts'
import { foreignKind } from '../../kit/server/foreign-file.ts'
import { readJson } from '../../kit/server/read-json.ts'
import { UnreadableFile } from '../../kit/server/unreadable-file.ts'

export interface ImportFile {
  format: 'GeoJSON' | 'CSV'
  /** Assumptions about the whole file, such as its encoding. */
  notes: string[]
  /** The header of a CSV in lower case; null for GeoJSON, where each row names its own fields. */
  columns: string[] | null
  rows: FileRow[]
}

export interface FileRow {
  /** Where the row stands, for the report: "line 3" (the header is line 1) or "feature 3" (counted from 1). */
  place: string
  /** Texts and numbers as written, by lower-case name; empty and nested fields are left out. */
  fields: ReadonlyMap<string, string>
  /** The position as written, not checked yet; null: none. */
  point: { latitude: unknown; longitude: unknown } | null
  note?: string
  /** Why the row cannot be read. */
  fault?: string
}

/** Reads GeoJSON or CSV; the content decides which. @throws `UnreadableFile` */
export function parseImportFile(bytes: Uint8Array): ImportFile {
  const foreign = foreignKind(bytes)
  if (foreign) throw new UnreadableFile(`The file is ${foreign.kind}. Save the table as CSV (UTF-8).`)
  const { text, encoding } = decodeText(bytes)
  const content = text.trimStart()
  if (content === '') throw new UnreadableFile('The file is empty.')
  if (!/^[[{]/.test(content)) return parseCsv(text, encoding)
  if (encoding !== 'UTF-8') throw new UnreadableFile('The file is JSON but not in UTF-8. Save it as UTF-8.')
  return parseGeoJson(text)
}

/** Run in the thread of `readImportFile`. */
export const read = parseImportFile

// ── GeoJSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function parseGeoJson(text: string): ImportFile {
  const json = readJson(text)
  const features = isObject(json) ? (json['type'] === 'Feature' ? [json] : json['features']) : null
  if (!Array.isArray(features)) throw new UnreadableFile('The file is JSON but no GeoJSON: it has no list "features".')
  if (features.length === 0) throw new UnreadableFile('The file holds no features.')
  if (features.length > tableRowsMax) throw tooManyRows()
  return { format: 'GeoJSON', notes: [], columns: null, rows: features.map(featureRow) }
}

function featureRow(feature: unknown, index: number): FileRow {
  const place = `feature ${index + 1}`
  const nothing = { place, fields: new Map<string, string>(), point: null }
  if (!isObject(feature) || feature['type'] !== 'Feature') return { ...nothing, fault: 'is no GeoJSON feature' }
  if (!isObject(feature['properties'])) return { ...nothing, fault: 'has no properties' }
  const fields = fieldsOf(Object.entries(feature['properties']))
  const id = feature['id']
  if (typeof id === 'string' && !fields.has('@id')) fields.set('@id', id)
  if (typeof id === 'number' && !fields.has('id')) fields.set('id', String(id))
  const geometry = feature['geometry']
  if (geometry === null || geometry === undefined) return { place, fields, point: pointOfFields(fields) }
  return { place, fields, ...pointOfGeometry(geometry) }
}

function pointOfGeometry(geometry: unknown): Pick<FileRow, 'point' | 'note' | 'fault'> {
  const { type, coordinates } = isObject(geometry) ? geometry : {}
  if (type === 'Point') {
    if (!Array.isArray(coordinates)) return { point: null, fault: 'is a point without coordinates' }
    return { point: pair(coordinates[0], coordinates[1]) }
  }
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    return { point: null, fault: `is a ${typeof type === 'string' ? type : 'shape'}, neither a point nor an area` }
  }
  const polygons: unknown = type === 'Polygon' ? [coordinates] : coordinates
  if (!Array.isArray(polygons) || polygons.length === 0 || !polygons.every(isPolygon)) {
    return { point: null, fault: 'is an area with a broken outline' }
  }
  const [longitude, latitude] = pointInside(largest(polygons)) ?? []
  if (longitude === undefined) return { point: null, fault: 'is an area of no size' }
  return { point: { latitude, longitude }, note: 'is an area: a point inside it is taken' }
}

function largest(polygons: Ring[][]): Ring[] {
  const sized = polygons.map((rings) => ({ rings, area: areaOf(rings[0]!) }))
  return sized.reduce((a, b) => (b.area > a.area ? b : a)).rings
}

type Ring = [number, number][]

function isPolygon(rings: unknown): rings is Ring[] {
  const isPosition = (it: unknown) => Array.isArray(it) && Number.isFinite(it[0]) && Number.isFinite(it[1])
  return (
    Array.isArray(rings) &&
    rings.length > 0 &&
    rings.every((ring) => Array.isArray(ring) && ring.length >= 4 && ring.every(isPosition))
  )
}

/** Each edge of a ring from [x1, y1] to [x2, y2], seen from the ring's first corner, so that small areas keep their digits. */
function edges(ring: Ring): [number, number, number, number][] {
  const [x0, y0] = ring[0]!
  return ring.map(([x1, y1], index) => {
    const [x2, y2] = ring[(index + 1) % ring.length]!
    return [x1 - x0, y1 - y0, x2 - x0, y2 - y0]
  })
}

function areaOf(ring: Ring): number {
  return Math.abs(edges(ring).reduce((sum, [x1, y1, x2, y2]) => sum + x1 * y2 - x2 * y1, 0)) / 2
}

/** The middle of the longest stretch that lies inside on the parallel of the outline's centre of gravity. */
function pointInside(rings: Ring[]): [number, number] | null {
  const outline = rings[0]!
  const twiceArea = edges(outline).reduce((sum, [x1, y1, x2, y2]) => sum + x1 * y2 - x2 * y1, 0)
  if (twiceArea === 0) return null
  const moment = edges(outline).reduce((sum, [x1, y1, x2, y2]) => sum + (y1 + y2) * (x1 * y2 - x2 * y1), 0)
  const y = outline[0]![1] + moment / (3 * twiceArea)
  const crossings = rings
    .flatMap((ring) => ring.map(([x1, y1], index) => [x1, y1, ...ring[(index + 1) % ring.length]!] as const))
    .filter(([, y1, , y2]) => y1 > y !== y2 > y)
    .map(([x1, y1, x2, y2]) => x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
    .sort((a, b) => a - b)
  let widest: [number, number] | null = null
  for (let n = 0; n + 1 < crossings.length; n += 2) {
    const [from, to] = [crossings[n]!, crossings[n + 1]!]
    if (!widest || to - from > widest[1] - widest[0]) widest = [from, to]
  }
  return widest && [Number(((widest[0] + widest[1]) / 2).toFixed(6)), Number(y.toFixed(6))]
}

// ── CSV ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

function parseCsv(text: string, encoding: string): ImportFile {
  const notes = encoding === 'UTF-8' ? [] : [`The file is not in UTF-8; it was read as ${encoding}.`]
  const { names, rows: lines } = readTable(text)
  if (lines.length === 0) throw new UnreadableFile('The file holds no rows below its header.')
  const rows = lines.map(({ cells, line, fault }): FileRow => {
    const fields = fieldsOf(cells.map((cell, index) => [names[index] ?? '', cell]))
    const row = { place: `line ${line}`, fields, point: pointOfFields(fields) }
    return fault === undefined ? row : { ...row, fault }
  })
  return { format: 'CSV', notes, columns: names, rows }
}

// ── Both ────────────────────────────────────────────────────────────────────────────────────────────────────────────

function fieldsOf(entries: [string, unknown][]): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of entries) {
    const key = name.trim().toLowerCase()
    const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
    if (text.trim() !== '' && !fields.has(key)) fields.set(key, text)
  }
  return fields
}

const latitudeNames = ['lat', 'latitude', 'breite', 'breitengrad', 'y']
const longitudeNames = ['lon', 'lng', 'long', 'longitude', 'laenge', 'länge', 'laengengrad', 'längengrad', 'x']

/** Columns that hold a position. */
export const pointKeys = [...latitudeNames, ...longitudeNames, 'geo_point_2d']

function pointOfFields(fields: ReadonlyMap<string, string>): FileRow['point'] {
  const first = (names: string[]) => names.map((name) => fields.get(name)).find((value) => value !== undefined)
  // data.bs.ch writes "47.55, 7.59" into one column
  const [latitude, longitude] = fields.get('geo_point_2d')?.split(',') ?? [first(latitudeNames), first(longitudeNames)]
  return pair(longitude, latitude)
}

function pair(longitude: unknown, latitude: unknown): FileRow['point'] {
  return (longitude ?? latitude ?? null) === null ? null : { latitude, longitude }
}

function isObject(it: unknown): it is Record<string, unknown> {
  return typeof it === 'object' && it !== null && !Array.isArray(it)
}
