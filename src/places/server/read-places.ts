import { parseOpeningHours } from '../../businesses/server/opening-hours.ts'
import { importText, type ImportText } from '../../kit/server/import-text.ts'
import {
  listNamed,
  parseRowFile,
  pointListsOf,
  unreadColumns,
  type FileRow,
  type RowFile,
} from '../../kit/server/row-file.ts'
import { readPosition } from '../../kit/server/row-position.ts'
import { unfitForName } from '../../kit/shared/input.ts'
import { listedColumns, oneLine, type ImportRemark } from '../../staff/server/import-report.ts'
import { RowRemarks } from '../../staff/server/row-remarks.ts'
import type { PlaceKind } from '../contract.ts'
import { kindNamed } from './kind-words.ts'
import type * as store from './store.ts'

export interface ReadOptions {
  /** Name of the list; ids are unique within it. Default: the file's name. */
  source?: string | undefined
  fileName: string
}

/** The useful places of a file. Plain data, so that a thread can read it. */
export interface PlaceFile {
  format: RowFile['format']
  fileName: string
  source: string
  /** Number of rows. */
  read: number
  /** About the whole file. */
  notes: ImportText[]
  /** The rows that were understood, each id once. */
  places: store.ImportedPlace[]
  /** About single rows. */
  remarks: ImportRemark[]
}

/** Keys of columns (see `columnKey`), by value; of each list the first key that a row has counts. */
const names = {
  name: ['name', 'place name', 'bezeichnung', 'standort', 'nom', 'title', 'titel', 'designation'],
  stepFree: ['step free', 'wheelchair', 'rollstuhl', 'rollstuhlgangig', 'stufenlos', 'acces fauteuil roulant'],
  id: ['id', '@id', 'osm id', 'objectid', 'osm', 'nummer', 'identifiant', 'kennung'],
  note: ['note', 'bemerkung', 'description', 'hinweis', 'beschreibung', 'remarque'],
  hours: ['opening hours', 'oeffnungszeiten', 'offnungszeiten', 'horaires'],
}
const kindKeys = [
  'kind',
  'type',
  'amenity',
  'emergency',
  'art',
  'kategorie',
  'highway',
  'category',
  'categorie',
  'typ',
  'genre',
]

/** Names stored for places that have no name in the imported list. */
export const plainNames: Record<PlaceKind, string> = {
  toilet: 'WC',
  water: 'Trinkwasser',
  first_aid: 'Erste Hilfe',
  step_free: 'Stufenlos',
}

/** Run in a thread. @throws `UnreadableFile` */
export async function read(bytes: Uint8Array, options: ReadOptions): Promise<PlaceFile> {
  const known = [...Object.values(names).flat(), ...kindKeys]
  return readPlaces(await parseRowFile(bytes, known), options)
}

/** Reads the rows of a file as useful places. */
export function readPlaces(file: RowFile, { source: given, fileName }: ReadOptions): PlaceFile {
  const source = given ?? listNamed(fileName)
  const remarks = new RowRemarks(file.rows)
  const places = new Map<string, store.ImportedPlace>()
  for (const [index, row] of file.rows.entries()) {
    const title = textIn(row, names.name)
    const place = placeOf(row, source)
    if ('fault' in place) remarks.addOnce('refused', index, title, place.fault)
    else if (places.has(place.source_id))
      remarks.add('refused', index, title, importText('placeTwice', { id: place.source_id }))
    else {
      places.set(place.source_id, place)
      if (place.opening_hours === null && textIn(row, names.hours) !== '')
        remarks.addOnce(
          'note',
          index,
          title,
          importText('hoursUnknown', { text: oneLine(textIn(row, names.hours), 80) }),
        )
      for (const note of notesOf(row)) remarks.addOnce('note', index, title, note)
    }
  }
  const unread = unreadColumns(file, [...Object.values(names), ...kindKeys.map((key) => [key]), ...pointListsOf(file)])
  return {
    format: file.format,
    fileName,
    source,
    read: file.rows.length,
    notes: [...file.notes, ...listedColumns(unread)],
    places: [...places.values()],
    remarks: remarks.list(),
  }
}

const textIn = ({ fields }: FileRow, keys: string[]) =>
  keys.map((key) => fields.get(key)?.trim()).find((text) => text !== undefined) ?? ''

function notesOf(row: FileRow): ImportText[] {
  const read = readPosition(row)
  return [...(row.note ? [row.note] : []), ...('notes' in read ? read.notes : [])]
}

function placeOf(row: FileRow, source: string): store.ImportedPlace | { fault: ImportText } {
  if (row.fault) return { fault: row.fault }
  // the first field that names a known kind: exports of OpenStreetMap use "type" for "node" or "way"
  const kind = kindKeys.map((key) => kindNamed(row.fields.get(key) ?? '')).find((named) => named !== null)
  if (!kind) return { fault: importText('unknownPlaceKind', { text: oneLine(textIn(row, kindKeys), 40) || '–' }) }
  const read = readPosition(row)
  if ('fault' in read) return read
  const { position } = read
  if (!position) return { fault: importText('noPosition') }
  const name = cut(textIn(row, names.name) || plainNames[kind], 120)
  if (name === '' || unfitForName(name)) return { fault: importText('nameUnreadable') }
  const id = cut(textIn(row, names.id), 200) || `${kind} ${position.latitude},${position.longitude}`
  const written = textIn(row, names.hours)
  const hours = written === '' ? null : parseOpeningHours(written, { ...position, canton: 'BS' })
  // hours that cannot be read are still words for people
  const note = [hours?.known === false ? written : '', textIn(row, names.note)].filter(Boolean).join('; ')
  return {
    source_id: [...`${source}:${id}`].slice(0, 300).join(''),
    place_name: name,
    kind,
    ...position,
    step_free: yesOrNo(textIn(row, names.stepFree).toLowerCase()),
    opening_hours: hours?.known ? hours.normalised : null,
    note: cut(note, 300) || null,
  }
}

const yesOrNo = (text: string) =>
  /^(yes|true|1|ja|oui)$/.test(text) ? true : /^(no|false|0|nein|non)$/.test(text) ? false : null

/** Without control characters and broken surrogates; at most `max` letters. */
const cut = (text: string, max: number) =>
  [...text.toWellFormed().replace(/\p{C}+/gu, ' ')].slice(0, max).join('').trim()
