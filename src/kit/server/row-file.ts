import { numberIn, readTable, tableRowsMax, tooManyRows, type Table } from './csv-table.ts'
import { decodeText } from './decode-text.ts'
import { foreignKind } from './foreign-file.ts'
import { importText, type ImportText } from './import-text.ts'
import { readJson } from './read-json.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { readXlsx } from './xlsx-table.ts'
import { fixed } from '../shared/numbers.ts'

/** A list of things with places: GeoJSON or a table. */
export interface RowFile {
  format: 'GeoJSON' | 'CSV' | 'Excel'
  /** Assumptions about the whole file, such as its encoding. */
  notes: ImportText[]
  /** The header of a table as written; null for GeoJSON, where each row names its own fields. */
  header: string[] | null
  /** Columns and properties that hold something in any row, each once, in the order of the file. */
  columns: Column[]
  /** Headings that repeat an earlier one; only the first of them is read. */
  repeated: string[]
  rows: FileRow[]
}

export interface Column {
  /** See `columnKey`. */
  key: string
  /** As in the file. */
  name: string
}

export interface FileRow {
  /** Where the row is in the file: "line 3" (the header is line 1) or "feature 3" (counted from 1). */
  place: ImportText
  /** Texts and numbers as written, by `columnKey`; empty and nested fields are left out. */
  fields: ReadonlyMap<string, string>
  /** The position as written, unchecked; null: none. */
  point: { latitude: unknown; longitude: unknown } | null
  note?: ImportText
  /** Why the row cannot be read. */
  fault?: ImportText
}

/**
 * A heading without case, accents and punctuation, so that spellings of one heading are equal: "addr:street" and "addr_street" are
 * "addr street", "Länge" is "lange". "@id" stays apart from "id".
 */
export function columnKey(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}@]+/gu, ' ')
    .trim()
}

/**
 * Reads GeoJSON, CSV or an Excel workbook; the content decides which. Blocks for long files: run it in a thread. `known`: keys of
 * columns, by which the header of a table is found below titles.
 * @throws `UnreadableFile`
 */
export async function parseRowFile(bytes: Uint8Array, known: readonly string[]): Promise<RowFile> {
  const isHeader = (cells: string[]) => cells.filter((cell) => known.includes(columnKey(cell))).length >= 2
  const foreign = foreignKind(bytes)
  if (foreign?.key === 'zip') return workbookFile(await readXlsx(bytes, isHeader), isHeader)
  if (foreign)
    throw new UnreadableFile(
      `The file is ${foreign.kind}. Save the table as Excel (.xlsx) or CSV.`,
      importText('fileForeignList', { kind: foreign.key }),
    )
  const { text, encoding } = decodeText(bytes)
  const content = text.trimStart()
  if (content === '') throw new UnreadableFile('The file is empty.', importText('fileEmpty'))
  if (!/^[[{]/.test(content)) return tableFile('CSV', readTable(text, isHeader), encoding)
  if (encoding === 'Windows-1252')
    throw new UnreadableFile('The file is JSON but not in UTF-8. Save it as UTF-8.', importText('fileJsonNotUtf8'))
  return parseGeoJson(text)
}

/** The first sheet with a known header, else the first; the others are named. */
function workbookFile(sheets: Table[], isHeader: (cells: string[]) => boolean): RowFile {
  const table = sheets.find(({ headings }) => isHeader(headings)) ?? sheets[0]
  if (!table) throw new UnreadableFile('The workbook is empty.', importText('fileEmpty'))
  const file = tableFile('Excel', table)
  const others = sheets.filter((each) => each !== table).map(({ sheet }) => importText('sheetNotRead', { sheet }))
  return { ...file, notes: [...file.notes, ...others] }
}

/**
 * Columns that no row reads, as written in the file. `lists` has the keys of each value; of each list a row reads the first key that
 * it has.
 */
export function unreadColumns({ columns, repeated, rows }: RowFile, lists: readonly (readonly string[])[]): string[] {
  const read = new Set<string>()
  for (const { fields } of rows)
    for (const keys of lists) {
      const key = keys.find((each) => fields.has(each))
      if (key !== undefined) read.add(key)
    }
  return [...columns.filter(({ key }) => !read.has(key)).map(({ name }) => name), ...repeated]
}

// ── GeoJSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function parseGeoJson(text: string): RowFile {
  const json = readJson(text)
  const features = isObject(json) ? (json['type'] === 'Feature' ? [json] : json['features']) : null
  if (!Array.isArray(features))
    throw new UnreadableFile(
      'The file is JSON but not GeoJSON: it has no list “features”.',
      importText('fileNoGeoJson'),
    )
  if (features.length === 0) throw new UnreadableFile('The file holds no features.', importText('fileNoFeatures'))
  if (features.length > tableRowsMax) throw tooManyRows()
  const columns = new Map<string, Column>()
  const rows = features.map((feature, index) => featureRow(feature, index, columns))
  return { format: 'GeoJSON', notes: [], header: null, columns: [...columns.values()], repeated: [], rows }
}

function featureRow(feature: unknown, index: number, columns: Map<string, Column>): FileRow {
  const place = importText('atFeature', { n: index + 1 })
  const nothing = { place, fields: new Map<string, string>(), point: null }
  if (!isObject(feature) || feature['type'] !== 'Feature') return { ...nothing, fault: importText('noFeature') }
  if (!isObject(feature['properties'])) return { ...nothing, fault: importText('noProperties') }
  const entries = Object.entries(feature['properties'])
  for (const [name, value] of entries) {
    const key = columnKey(name)
    if (!columns.has(key) && holdsSomething(value)) columns.set(key, { key, name: name.trim() })
  }
  const fields = fieldsOf(entries)
  const id = feature['id']
  if (typeof id === 'string' && !fields.has('@id')) fields.set('@id', id)
  if (typeof id === 'number' && !fields.has('id')) fields.set('id', String(id))
  const geometry = feature['geometry']
  if (geometry === null || geometry === undefined) return { place, fields, ...pointOfFields(fields) }
  return { place, fields, ...pointOfGeometry(geometry) }
}

const holdsSomething = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() !== '' : value !== null && value !== undefined

function pointOfGeometry(geometry: unknown): Pick<FileRow, 'point' | 'note' | 'fault'> {
  const { type, coordinates } = isObject(geometry) ? geometry : {}
  if (type === 'Point') {
    if (!Array.isArray(coordinates)) return { point: null, fault: importText('pointWithoutCoordinates') }
    return { point: pair(coordinates[0], coordinates[1]) }
  }
  if (type === 'MultiPoint') {
    const [first] = Array.isArray(coordinates) ? (coordinates as unknown[]) : []
    if (!Array.isArray(first)) return { point: null, fault: importText('pointWithoutCoordinates') }
    return { point: pair(first[0], first[1]), note: importText('firstOfPoints') }
  }
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    return {
      point: null,
      fault: importText('noPointNoArea', { type: typeof type === 'string' ? type.slice(0, 40) : '–' }),
    }
  }
  const polygons: unknown = type === 'Polygon' ? [coordinates] : coordinates
  if (!Array.isArray(polygons) || polygons.length === 0 || !polygons.every(isPolygon)) {
    return { point: null, fault: importText('areaBroken') }
  }
  const [longitude, latitude] = pointInside(largest(polygons)) ?? []
  if (longitude === undefined) return { point: null, fault: importText('areaEmpty') }
  return { point: { latitude, longitude }, note: importText('areaPoint') }
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
  return widest && [Number(fixed((widest[0] + widest[1]) / 2, 6)), Number(fixed(y, 6))]
}

// ── Tables ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function tableFile(format: RowFile['format'], { headings: names, rows: lines }: Table, encoding = 'UTF-8'): RowFile {
  const notes = encoding === 'UTF-8' ? [] : [importText('encoding', { encoding })]
  if (lines.length === 0) throw new UnreadableFile('The file holds no rows below its header.', importText('fileNoRows'))
  const keys = names.map(columnKey)
  const isFilled = names.map(() => false)
  const rows = lines.map(({ cells, line, fault }): FileRow => {
    for (const [index, cell] of cells.entries()) if (index < names.length && cell.trim() !== '') isFilled[index] = true
    const fields = fieldsOf(cells.map((cell, index) => [names[index] ?? '', cell]))
    const at = { place: importText('atLine', { n: line, hasId: 'no', id: '' }), fields, ...pointOfFields(fields) }
    return fault ? { ...at, fault: importText('cells', { n: cells.length, columns: names.length }) } : at
  })
  const named = names.map((name, index) => ({ name, index, key: keys[index]! })).filter(({ name }) => name !== '')
  const isFirst = ({ key, index }: { key: string; index: number }) => keys.indexOf(key) === index
  return {
    format,
    notes,
    header: names,
    columns: named.filter((each) => isFirst(each) && isFilled[each.index]).map(({ key, name }) => ({ key, name })),
    repeated: named.filter((each) => !isFirst(each) && isFilled[each.index]).map(({ name }) => name),
    rows,
  }
}

function fieldsOf(entries: [string, unknown][]): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of entries) {
    const key = columnKey(name)
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (isPlain && String(value).trim() !== '' && !fields.has(key)) fields.set(key, String(value))
  }
  return fields
}

// ── Positions in columns ────────────────────────────────────────────────────────────────────────────────────────────

const latitudeKeys = ['lat', 'latitude', 'breite', 'breitengrad', 'geo lat', 'geographische breite', 'latitude wgs84']
const longitudeKeys = [
  'lon',
  'lng',
  'long',
  'longitude',
  'laenge',
  'lange',
  'laengengrad',
  'langengrad',
  'geo lon',
  'geo lng',
  'geographische lange',
  'longitude wgs84',
]
/** Columns with both numbers; data.bs.ch writes "47.55, 7.59" into one. */
const pairKeys = ['geo point 2d', 'geo point', 'coordinates', 'koordinaten', 'coordonnees', 'lat lon', 'latlng']

/** Columns that hold a position, as lists for `unreadColumns`. */
const pointLists = [latitudeKeys, longitudeKeys, pairKeys]

/** `pointLists`, with x and y if they hold degrees. */
export const pointListsOf = ({ rows }: RowFile): string[][] =>
  rows.some(({ fields, point }) => point !== null && point.latitude === fields.get('y'))
    ? [...pointLists, ['x'], ['y']]
    : pointLists

function pointOfFields(fields: ReadonlyMap<string, string>): Pick<FileRow, 'point'> {
  const first = (keys: string[]) => keys.map((key) => fields.get(key)).find((value) => value !== undefined)
  const [latitude, longitude] = [first(latitudeKeys), first(longitudeKeys)]
  if (latitude !== undefined || longitude !== undefined) return { point: pair(longitude, latitude) }
  const [north, east] = first(pairKeys)?.match(/[-+]?\d+(?:[.,]\d+)?/g) ?? []
  if (north !== undefined && east !== undefined) return { point: pair(east, north) }
  // other x and y are metres of a national grid, or pixels
  const [x, y] = [fields.get('x'), fields.get('y')]
  const isWithin = (text: string | undefined, most: number) => text !== undefined && Math.abs(numberIn(text)) <= most
  return { point: isWithin(y, 90) && isWithin(x, 180) ? pair(x, y) : null }
}

function pair(longitude: unknown, latitude: unknown): FileRow['point'] {
  return (longitude ?? latitude ?? null) === null ? null : { latitude, longitude }
}

function isObject(it: unknown): it is Record<string, unknown> {
  return typeof it === 'object' && it !== null && !Array.isArray(it)
}

/** The name of a list that has none of its own: its file's name, without the ending and signs that a source may not have. */
export function listNamed(fileName: string): string {
  const name = fileName
    .replace(/\..*$/, '')
    .replace(/[^a-z0-9._-]+/gi, '-')
    .replace(/^[^a-z0-9]+/i, '')
  return name.slice(0, 40) || 'list'
}
