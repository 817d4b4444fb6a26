import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { unfitForName } from '../../kit/shared/input.ts'
import { record, type Actor } from '../../staff/server/staff.ts'
import { kindNamed } from './kind-words.ts'
import { plainNames, type PlaceRoom } from './places.ts'
import * as store from './store.ts'

/** A row of a table or a GeoJSON feature, as a file reader gives it. */
export interface PlaceFileRow {
  /** Where the row is in the file, such as "line 3". */
  place: string
  /** Values by column or property name in lower case. */
  fields: ReadonlyMap<string, string>
  /** The coordinates as in the file, unchecked. */
  point: { latitude: unknown; longitude: unknown } | null
  /** Why the row cannot be read. */
  fault?: string
}

export interface PlacesReport {
  /** Each row counts once as new, changed, same or refused. */
  counts: Record<'read' | 'new' | 'changed' | 'same' | 'refused', number>
  remarks: { kind: 'refused' | 'missing'; place: string; name: string; text: string }[]
}

interface PlacesImport {
  rows: readonly PlaceFileRow[]
  /** Name of the list; ids are unique within it. */
  source: string
  fileName: string
  dryRun: boolean
  actor: Actor
}

/**
 * Imports a list of useful places, all in one transaction. Places are matched by their id in the list, so a second run changes
 * nothing. Places that the list no longer has stay and are reported. Staff cannot undo an import: to get replaced places back,
 * import the earlier file.
 */
export async function importPlaces(
  { db, clock }: Pick<PlaceRoom, 'db' | 'clock'>,
  { rows, source, fileName, dryRun, actor }: PlacesImport,
): Promise<PlacesReport> {
  const { taken, remarks } = checkRows(rows, source)
  return db.transaction().execute(async (trx) => {
    if (!(await store.tryImportLock(trx))) throw new Error('Another import of places is at work. Try again later.')
    const known = new Map((await store.findImported(trx, source)).map((place) => [place.source_id, place]))
    const changed = taken.filter((place) => !isSame(known.get(place.source_id), place))
    const counts = {
      read: rows.length,
      new: changed.filter(({ source_id }) => !known.has(source_id)).length,
      changed: changed.filter(({ source_id }) => known.has(source_id)).length,
      same: taken.length - changed.length,
      refused: rows.length - taken.length,
    }
    const present = new Set(taken.map(({ source_id }) => source_id))
    for (const { source_id, place_name } of known.values())
      if (!present.has(source_id))
        remarks.push({
          kind: 'missing',
          place: `id ${source_id}`,
          name: place_name,
          text: 'is not in the file any more; it stays',
        })
    if (dryRun || changed.length === 0) return { counts, remarks }
    await store.writePlaces(
      trx,
      changed.map((place) => ({ ...place, place_id: newId() })),
      asDate(clock.now()),
    )
    await record(trx, { clock }, actor, newId(), {
      action: 'import-places',
      object: { kind: 'import', id: null, name: fileName },
      after: { source, ...counts },
    })
    return { counts, remarks }
  })
}

/** The report as lines of text; equal remarks are one line. The last line: "N read, N new, N changed, N same, N refused". */
export function placesReportLines({ counts, remarks }: PlacesReport): string[] {
  const { read, changed, same, refused } = counts
  return [
    ...Map.groupBy(remarks, ({ kind, text }) => `${kind}: ${printable(text)}`)
      .entries()
      .map(([remark, [first, ...others]]) => {
        const more = others.length === 0 ? '' : ` (and ${others.length} more ${others.length === 1 ? 'row' : 'rows'})`
        return `${first!.place} (${printable(first!.name) || 'no name'}): ${remark}${more}`
      }),
    `${read} read, ${counts.new} new, ${changed} changed, ${same} same, ${refused} refused`,
  ]
}

/** Removes control characters, which a terminal would obey, and cuts long texts. */
const printable = (text: string) => [...text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()].slice(0, 200).join('')

const isSame = (one: store.ImportedPlace | undefined, other: store.ImportedPlace) =>
  one !== undefined && (Object.keys(other) as (keyof store.ImportedPlace)[]).every((key) => one[key] === other[key])

function checkRows(rows: readonly PlaceFileRow[], source: string) {
  const remarks: PlacesReport['remarks'] = []
  const taken = new Map<string, store.ImportedPlace>()
  for (const row of rows) {
    const read = placeOf(row, source)
    const refused =
      'fault' in read
        ? read.fault
        : taken.has(read.place.source_id)
          ? `its id ${read.place.source_id} is in the file twice`
          : null
    if (refused !== null) remarks.push({ kind: 'refused', place: row.place, name: nameIn(row), text: refused })
    else if ('place' in read) taken.set(read.place.source_id, read.place)
  }
  return { taken: [...taken.values()], remarks }
}

const first = ({ fields }: PlaceFileRow, ...names: string[]) =>
  names.map((name) => fields.get(name)?.trim()).find(Boolean) ?? ''
const nameIn = (row: PlaceFileRow) => first(row, 'name', 'place_name', 'bezeichnung', 'standort')

function placeOf(row: PlaceFileRow, source: string): { place: store.ImportedPlace } | { fault: string } {
  if (row.fault) return { fault: row.fault }
  // take the first field that names a known kind: exports of OpenStreetMap use "type" for "node" or "way"
  const kind = kindFields.map((name) => kindNamed(row.fields.get(name) ?? '')).find((named) => named !== null)
  if (!kind)
    return {
      fault: `its kind "${[...first(row, ...kindFields)].slice(0, 40).join('')}" is none of toilet, water, first_aid and step_free`,
    }
  const [latitude, longitude] = [degrees(row.point?.latitude, 90), degrees(row.point?.longitude, 180)]
  if (latitude === null || longitude === null) return { fault: 'it has no position of latitude and longitude' }
  const name = [...(nameIn(row) || plainNames[kind]).replace(/\p{C}+/gu, ' ')].slice(0, 120).join('').trim()
  if (name === '' || unfitForName(name)) return { fault: 'its name cannot be read' }
  const wheelchair = first(row, 'step_free', 'wheelchair').toLowerCase()
  const id = first(row, 'id', '@id', 'osm_id', 'objectid') || `${kind} ${latitude},${longitude}`
  return {
    place: {
      source_id: [...`${source}:${id}`].slice(0, 300).join(''),
      place_name: name,
      kind,
      latitude,
      longitude,
      step_free: /^(yes|true|1|ja|oui)$/.test(wheelchair)
        ? true
        : /^(no|false|0|nein|non)$/.test(wheelchair)
          ? false
          : null,
      note:
        [...first(row, 'note', 'opening_hours', 'bemerkung', 'description').replace(/\p{C}+/gu, ' ')]
          .slice(0, 300)
          .join('')
          .trim() || null,
    },
  }
}

const kindFields = ['kind', 'type', 'amenity', 'emergency', 'art', 'kategorie', 'highway']

function degrees(value: unknown, max: number): number | null {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Math.abs(read) <= max ? read : null
}
