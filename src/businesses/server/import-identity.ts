import { createHash } from 'node:crypto'
import type { Position } from '../../kit/shared/geo.ts'
import { slugOf } from '../../kit/shared/slug.ts'
import { listNamed, type FileRow } from '../../kit/server/row-file.ts'
import { fixed } from '../../kit/shared/numbers.ts'

/** How an import matches a merchant. */
export interface Identity {
  /** `<source>:<id>` */
  source_id: string
  /** The source is the file's name; other lists may have files of that name. */
  sourceGuessed: boolean
  /** The id that earlier releases gave such a row; null: the same. */
  formerId: string | null
}

export const idMaxLength = 100

/** Fields that may hold an id; the first one present counts. */
export const idKeys = ['objectid', 'osm', 'src', '@id', 'id', 'osm id', 'uid', 'uuid', 'identifiant', 'kennung']

/** The id of a row in one line, and the field that holds it; null: none. */
export function idOf({ fields }: FileRow): { key: string; id: string } | null {
  const key = idKeys.find((each) => fields.has(each))
  return key === undefined ? null : { key, id: fields.get(key)!.replace(/\s+/g, ' ').trim() }
}

/** Where the rows of a file come from: the name that was given, and that of the file. */
export interface ListName {
  source?: string | undefined
  fileName: string
}

/**
 * The identity of a row. Its source is, in this order: the one given for the import; OpenStreetMap, by the form of the id; a list
 * known by its columns; the name of the file. A row without an id gets a hash of name and position (or address), so a changed name or
 * position makes a new merchant.
 */
export function identityOf(
  row: FileRow,
  { source, fileName }: ListName,
  { business_name, position, address }: { business_name: string; position: Position | null; address: string },
): Identity {
  const given = idOf(row)
  const where = position ? `${fixed(position.latitude, 5)},${fixed(position.longitude, 5)}` : address.toLowerCase()
  const hash = digest(`${business_name.normalize('NFC').toLowerCase()}|${where}`)
  const list = source ?? sourceByShape(row)
  if (!given) return { source_id: `${list ?? 'hash'}:${hash}`, sourceGuessed: false, formerId: null }
  const isOfOsm = /^(?:node|way|relation)\/\d+$/.test(given.id) || given.key === 'osm'
  const known = source ?? (isOfOsm ? 'osm' : list)
  const id = given.id || hash
  if (known) return { source_id: `${known}:${id}`, sourceGuessed: false, formerId: null }
  return { source_id: `${listNamed(fileName)}:${id}`, sourceGuessed: true, formerId: `${given.key}:${id}` }
}

/** The source that most rows of a file have. */
export function sourceOfRows(rows: readonly { source_id: string }[], { source, fileName }: ListName): string {
  const [first] = rows
  const known = first?.source_id.split(':')[0]
  return source ?? (known && known !== 'hash' ? known : listNamed(fileName))
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
