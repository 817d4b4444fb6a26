import { numberIn, readTable, type TableRow } from '../../../kit/server/csv-table.ts'
import { UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { atLine, importText, type ImportText } from '../../../kit/server/import-text.ts'
import { languagesOf } from './read-schedule-json.ts'
import { notesOfZone, tableMomentOf, timeFault } from './read-times.ts'
import type { ReadingOptions, ScheduleFile, ScheduleItem } from './schedule-item.ts'

const columns =
  'id, title, starts_at, ends_at, stage, description, category, performers, languages, latitude, longitude, status'

/** Reads a table with a header line. "title" and "starts_at" are required; performers are separated by semicolons. @throws `UnreadableFile` */
export function readCsv(text: string, { zone, name }: ReadingOptions): ScheduleFile {
  const { names, rows } = readTable(text)
  if (!names.includes('title') || !names.includes('starts_at'))
    throw new UnreadableFile(
      `The file is no schedule. A table needs the columns "title" and "starts_at"; it may have ${columns}.`,
      importText('fileNoColumns', { columns }),
    )
  // reversed, so that the first of equal names counts; a header may have half a million
  const places = new Map(names.map((name, at) => [name, at] as const).toReversed())
  const cellOf = ({ cells }: TableRow, column: string) => (cells[places.get(column) ?? -1] ?? '').trim()
  const withoutId = rows.filter((row) => cellOf(row, 'id') === '').length
  return {
    format: 'CSV',
    source: name.replace(/\..*$/, ''),
    notes: [
      ...notesOfZone(
        rows.flatMap((row) => [cellOf(row, 'starts_at'), cellOf(row, 'ends_at')]),
        zone,
      ),
      ...notesOfColumns(names),
      ...(withoutId === 0 ? [] : [importText('rowsWithoutId', { n: withoutId })]),
    ],
    unread: [],
    items: rows.map((row) => itemOf(row, (column) => cellOf(row, column), zone, names.length)),
  }
}

/** Columns named in a note; a table may have thousands. */
const namedMost = 20

/** Notes about unknown and doubled columns, whose content is not read. */
function notesOfColumns(names: string[]): ImportText[] {
  const known = new Set(columns.split(', '))
  const named = (list: string[]) => {
    const each = [...new Set(list)]
    const shown = each.slice(0, namedMost).map((name) => `“${name.slice(0, 40)}”`)
    return [...shown, ...(each.length > namedMost ? ['…'] : [])].join(', ')
  }
  const unknown = names.filter((name) => name !== '' && !known.has(name))
  const seen = new Set<string>()
  const again = names.filter((name) => known.has(name) && (seen.has(name) || !seen.add(name)))
  return [
    ...(unknown.length === 0 ? [] : [importText('columnsUnknown', { names: named(unknown), columns })]),
    ...(again.length === 0 ? [] : [importText('columnsTwice', { names: named(again) })]),
  ]
}

function itemOf(row: TableRow, cell: (column: string) => string, zone: string, columnsRead: number): ScheduleItem {
  const read = (text: string) => tableMomentOf(text, zone)
  const fault =
    row.fault === undefined
      ? timeFault(cell('starts_at'), cell('ends_at'), read)
      : importText('cells', { n: row.cells.length, columns: columnsRead })
  return {
    place: atLine(row.line, cell('id')),
    id: cell('id') || `${cell('title')} ${cell('starts_at')} ${cell('stage')}`.normalize('NFC'),
    title: cell('title'),
    description: cell('description'),
    kinds: [cell('category')].filter(Boolean),
    starts: read(cell('starts_at')),
    isAllDay: false,
    version: null,
    ends: read(cell('ends_at')),
    room: cell('stage'),
    position:
      cell('latitude') || cell('longitude')
        ? { latitude: numberIn(cell('latitude')), longitude: numberIn(cell('longitude')) }
        : null,
    people: cell('performers')
      .split(';')
      .map((each) => each.trim())
      .filter(Boolean)
      .map((each) => ({ id: each, name: each })),
    languages: languagesOf(cell('languages')),
    status: cell('status'),
    isFamilyFriendly: false,
    ...(fault === null ? {} : { fault }),
  }
}
