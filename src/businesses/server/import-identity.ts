import { createHash } from 'node:crypto'
import type { Position } from '../../kit/shared/geo.ts'
import { slugOf } from '../../kit/shared/slug.ts'
import type { FileRow } from './import-file.ts'

/** How an import matches a merchant. */
export interface Identity {
  /** `<source>:<id>` */
  source_id: string
  /** True: the id may not be unique among all lists. */
  sourceGuessed: boolean
}

export const idMaxLength = 100

/** Fields that may hold an id; the first one present counts. */
export const idKeys = ['objectid', 'osm', 'src', '@id', 'id']

/** The id of a row in one line, and the field that holds it; null: none. */
export function idOf({ fields }: FileRow): { key: string; id: string } | null {
  const key = idKeys.find((each) => fields.has(each))
  return key === undefined ? null : { key, id: fields.get(key)!.replace(/\s+/g, ' ').trim() }
}

/**
 * The identity of a row. Its source is, in this order: the one given for the import; OpenStreetMap, by the form of the id; a list
 * known by its columns; the name of the id's field. A row without an id gets a hash of name and position (or address), so a changed
 * name or position makes a new merchant.
 */
export function identityOf(
  row: FileRow,
  source: string | undefined,
  { business_name, position, address }: { business_name: string; position: Position | null; address: string },
): Identity {
  const given = idOf(row)
  const where = position ? `${position.latitude.toFixed(5)},${position.longitude.toFixed(5)}` : address.toLowerCase()
  const hash = digest(`${business_name.normalize('NFC').toLowerCase()}|${where}`)
  const list = source ?? sourceByShape(row)
  if (!given) return { source_id: `${list ?? 'hash'}:${hash}`, sourceGuessed: false }
  const isOfOsm = /^(?:node|way|relation)\/\d+$/.test(given.id) || given.key === 'osm'
  const known = source ?? (isOfOsm ? 'osm' : list)
  return {
    source_id: `${known ?? given.key}:${given.id || hash}`,
    sourceGuessed: !known,
  }
}

function sourceByShape({ fields }: FileRow): string | null {
  if (fields.has('betriebsname') && fields.has('betriebsart')) return 'zuerich-gastwirtschaften'
  if (fields.has('kind') && fields.has('licence') && fields.has('src')) return 'basel-ogd'
  return null
}

/** The slug of an imported merchant; never changed later, so that links stay valid. Its end comes from the id and makes it unique. */
export function slugOfImported({ business_name, source_id }: { business_name: string; source_id: string }): string {
  return [slugOf(business_name, 40), digest(source_id).slice(0, 12)].filter(Boolean).join('-')
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)
