import { numberIn, type Table, type TableRow } from '../../../kit/server/csv-table.ts'
import { importText, atLine, type ImportText } from '../../../kit/server/import-text.ts'
import { UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import type { DayOrder, TableField } from '../../limits.ts'
import { languagesOf } from './read-schedule-json.ts'
import type { ReadingOptions, ScheduleFile, ScheduleItem, TableReading } from './schedule-item.ts'
import { columnsMost, isEnough, matchColumns, type Columns } from './table-columns.ts'
import {
  cellTimeOf,
  durationIn,
  isWeekdayAlone,
  slashParts,
  type CellTime,
  type CellTimeOptions,
} from './table-times.ts'

/** Columns shown to a person. */
const shownMost = 60

/**
 * Reads the tables of a file: one of CSV, one for each sheet of a workbook. Sheets without title and start are left out.
 * @throws `UnreadableFile` if no table has a title and a start, unless `mayLackColumns`
 */
export function readTables(
  tables: readonly Table[],
  options: ReadingOptions,
  format: 'CSV' | 'Excel',
): ScheduleFile & { table: TableReading } {
  const guessed = new Set<string>()
  const matched = tables.map((table) => {
    const columns = matchColumns(table.headings, options.columns)
    guessTimes(table, columns, options, guessed)
    return { table, columns }
  })
  const read = matched.filter(({ columns }) => isEnough(columns))
  const { table: first, columns: firstColumns } = read[0] ?? matched[0] ?? { table: emptyTable, columns: new Map() }
  if (read.length === 0 && !(options.mayLackColumns && first.headings.filter(Boolean).length > 1))
    throw new UnreadableFile(
      'No column of the table is called title, and none start or date. The first line must name the columns.',
      importText('fileNoColumns'),
    )
  const order = dayOrderOf(read, options.dayOrder)
  const reader = { ...options, order: order.day_order }
  const results = read.map(({ table, columns }) => readRows(table, columns, reader))
  const left = matched.filter(({ table, columns }) => !isEnough(columns) && table.sheet !== '')
  const count = (of: (result: (typeof results)[number]) => number) => results.reduce((sum, each) => sum + of(each), 0)
  const [withoutId, carried, withoutZone] = [
    count((each) => each.withoutId),
    count((each) => each.carried),
    count((each) => each.withoutZone),
  ]
  return {
    format,
    source: options.name.replace(/\..*$/, ''),
    notes: [
      ...(guessed.size > 0 ? [importText('columnsGuessed', { names: [...guessed].join(', ') })] : []),
      ...(withoutZone > 0 ? [importText('zoneGuessed', { zone: options.zone })] : []),
      ...noteOfPlaces(read, readingOf(options, order.day_order)),
      ...left.map(({ table }) => importText('sheetLeft', { sheet: table.sheet.slice(0, 60) })),
      ...(carried > 0 ? [importText('dayCarried', { n: carried })] : []),
      ...(withoutId > 0 ? [importText('rowsWithoutId', { n: withoutId })] : []),
    ],
    unread: [...new Set(read.flatMap(({ table, columns }) => unreadHeadings(table, columns)))],
    items: results.flatMap(({ items }) => items),
    table: {
      columns: first.headings
        .slice(0, columnsMost)
        .map((heading, at) => ({
          heading,
          sample: [...sampleOf(first, at)].slice(0, 60).join(''),
          field: [...firstColumns].find(([, place]) => place === at)?.[0] ?? null,
        }))
        .filter(({ heading, sample }) => heading !== '' || sample !== '')
        .slice(0, shownMost),
      is_enough: read.length > 0,
      ...order,
    },
  }
}

/** The note about sheets that may each be a place, as no column holds one. Their names may as well be "Concerts" and "Talks". */
function noteOfPlaces(read: readonly { table: Table; columns: Columns }[], options: CellTimeOptions): ImportText[] {
  const sheets = read
    .filter(({ table, columns }) => !columns.has('stage') && !cellTimeOf(table.sheet, options)?.day)
    .map(({ table }) => table.sheet)
  if (read.length < 2 || sheets.length < read.length) return []
  return [
    importText('sheetsAsPlaces', {
      names: sheets
        .slice(0, 5)
        .map((name) => `“${name.slice(0, 40)}”`)
        .join(', '),
    }),
  ]
}

const readingOf = ({ year, festival }: ReadingOptions, order: DayOrder): CellTimeOptions => ({
  order,
  year: year ?? null,
  festival: festival ?? null,
})

const emptyTable: Table = { headings: [], names: [], rows: [], sheet: '' }

/** Rows that are looked at for what a column holds. */
const guessedFrom = 50

/**
 * Adds the columns of day, start and duration that no heading told: every cell of such a column is a day, a time of day or a
 * duration with its unit. Without them, the events of a table whose start is called "Get-in" would be all day.
 */
function guessTimes(table: Table, columns: Columns, options: ReadingOptions, guessed: Set<string>) {
  const taken = new Set(columns.values())
  const given = options.columns ?? {}
  const reading = readingOf(options, options.dayOrder ?? 'day-first')
  for (const [at, heading] of table.headings.slice(0, columnsMost).entries()) {
    if (heading === '' || taken.has(at) || Object.hasOwn(given, heading)) continue
    const cells = table.rows
      .map((row) => (row.cells[at] ?? '').trim())
      .filter(Boolean)
      .slice(0, guessedFrom)
    const times = cells.map((cell) => cellTimeOf(cell, reading))
    const all = (test: (time: CellTime | null, cell: string) => boolean) =>
      cells.length > 0 && cells.every((cell, index) => test(times[index]!, cell))
    const field: TableField | null = all((time, cell) => time?.minutes !== undefined && cell.length > 2)
      ? 'start'
      : all((time, cell) => time?.day !== undefined && !/^\d+$/.test(cell))
        ? 'date'
        : all((_, cell) => /\d/.test(cell) && /[a-z'’′]/i.test(cell) && durationIn(cell) !== null)
          ? 'duration'
          : null
    if (!field || columns.has(field)) continue
    // a start with its day leaves nothing to guess
    if (field === 'date' && columns.has('start') && hasDays(table, columns.get('start')!, reading)) continue
    columns.set(field, at)
    guessed.add(`“${heading.slice(0, 40)}”`)
  }
}

const hasDays = ({ rows }: Table, at: number, reading: CellTimeOptions) =>
  rows.slice(0, guessedFrom).some(({ cells }) => {
    const time = cellTimeOf(cells[at] ?? '', reading)
    return time?.day !== undefined || time?.instant !== undefined
  })

const sampleOf = ({ rows }: Table, at: number) =>
  rows.find(({ cells }) => (cells[at] ?? '').trim() !== '')?.cells[at] ?? ''

function unreadHeadings(table: Table, columns: Columns): string[] {
  const taken = new Set(columns.values())
  return table.headings
    .slice(0, columnsMost)
    .filter((heading, at) => heading !== '' && !taken.has(at) && sampleOf(table, at) !== '')
}

const timeFields = ['start', 'date', 'end', 'end_date'] as const

/** The order of day and month that the dates themselves tell; where they do not, the day is first. */
function dayOrderOf(
  read: readonly { table: Table; columns: Columns }[],
  given: DayOrder | undefined,
): Pick<TableReading, 'day_order' | 'unclear_date'> {
  let [isDayFirst, isMonthFirst, unclear] = [false, false, null as string | null]
  for (const { table, columns } of read)
    for (const { cells } of table.rows)
      for (const field of timeFields) {
        const cell = columns.has(field) ? (cells[columns.get(field)!] ?? '') : ''
        const [a, b] = slashParts(cell) ?? [0, 0]
        if (a > 12) isDayFirst = true
        else if (b > 12) isMonthFirst = true
        else if (a !== b) unclear ??= cell.trim().slice(0, 40)
      }
  if (given) return { day_order: given, unclear_date: null }
  if (isDayFirst !== isMonthFirst) return { day_order: isDayFirst ? 'day-first' : 'month-first', unclear_date: null }
  return { day_order: 'day-first', unclear_date: unclear }
}

function readRows({ headings, rows, sheet }: Table, columns: Columns, options: ReadingOptions & { order: DayOrder }) {
  const reading = readingOf(options, options.order)
  const timeOf = (text: string) => cellTimeOf(text, reading)
  let day = sheet ? (timeOf(sheet)?.day ?? null) : null
  const items: ScheduleItem[] = []
  const counts = { withoutId: 0, carried: 0, withoutZone: 0 }
  for (const row of rows) {
    const filled = row.cells.filter((cell) => cell.trim() !== '')
    // a row between others that names the day: "Samstag, 28. November"
    const between = filled.length === 1 ? timeOf(filled[0]!) : null
    if (between?.day && between.minutes === undefined && !columns.has('date')) {
      day = between.day
      continue
    }
    const cell = (field: TableField) => (columns.has(field) ? (row.cells[columns.get(field)!] ?? '').trim() : '')
    const date = timeOf(cell('date'))
    // a column "Date" may hold the whole time
    const read = { start: cell('start') === '' ? date : timeOf(cell('start')), date }
    const dated = [read.start, read.date].find((time) => time?.day && !time.isWeekday)
    const own = dated?.day ?? read.start?.day ?? read.date?.day
    if (!own && !read.start?.instant && read.start && cell('date') === '' && day) counts.carried++
    if (read.date?.day) day = read.date.day
    const times = timesOf(cell, { ...read, day: own ?? (cell('date') === '' ? day : null), timeOf }, options.zone)
    if (cell('id') === '') counts.withoutId++
    if (times.starts && !read.start?.instant) counts.withoutZone++
    items.push(itemOf(row, cell, times, headings.length))
  }
  return { items, ...counts }
}

interface RowTimes {
  starts: Temporal.Instant | null
  ends: Temporal.Instant | null
  isAllDay: boolean
  fault: ImportText | null
  notes: ImportText[]
}

function timesOf(
  cell: (field: TableField) => string,
  read: {
    start: CellTime | null
    date: CellTime | null
    day: Temporal.PlainDate | null
    timeOf: (text: string) => CellTime | null
  },
  zone: string,
): RowTimes {
  const none = { starts: null, ends: null, isAllDay: false, notes: [] }
  const { start, date, day, timeOf } = read
  const fails = (fault: ImportText) => ({ ...none, fault })
  if (cell('start') === '' && cell('date') === '') return fails(importText('noStart'))
  if (cell('start') !== '' && !start) return fails(badTime('start', cell('start'), 'all'))
  if (cell('date') !== '' && !date?.day && !start?.day && !start?.instant)
    return fails(badTime('start', cell('date'), 'all'))
  const at = (on: Temporal.PlainDate, minutes: number) =>
    on
      .add({ days: Math.floor(minutes / 1440) })
      .toZonedDateTime({ timeZone: zone, plainTime: { hour: Math.floor((minutes % 1440) / 60), minute: minutes % 60 } })
      .toInstant()
  const minutes = start?.minutes ?? date?.minutes
  if (!start?.instant && !day) return fails(badTime('start', cell('start'), 'date'))
  const notes: ImportText[] = []
  const end = timeOf(cell('end'))
  const endDate = timeOf(cell('end_date'))
  if (cell('end') !== '' && !end) notes.push(importText('openEnd', { text: cell('end').slice(0, 40) }))
  const lastDay = end?.day ?? endDate?.day ?? start?.endDay ?? date?.endDay
  if (!start?.instant && minutes === undefined)
    return {
      starts: at(day!, dayBegins),
      ends: at((lastDay ?? day!).add({ days: 1 }), dayBegins),
      isAllDay: true,
      fault: null,
      notes,
    }
  const starts = start?.instant ?? at(day!, minutes!)
  const lasts = durationIn(cell('duration'))
  if (cell('duration') !== '' && lasts === null)
    notes.push(importText('openEnd', { text: cell('duration').slice(0, 40) }))
  const endMinutes = end?.minutes ?? endDate?.minutes ?? start?.endMinutes ?? date?.endMinutes
  let ends = end?.instant ?? start?.endInstant ?? null
  if (!ends && endMinutes !== undefined) {
    const on = lastDay ?? day ?? starts.toZonedDateTimeISO(zone).toPlainDate()
    ends = at(on, endMinutes)
    // an end at 01:00 is in the night after
    if (!lastDay && Temporal.Instant.compare(ends, starts) <= 0) ends = at(on.add({ days: 1 }), endMinutes)
  }
  if (!ends && lasts === null && lastDay && day && !lastDay.equals(day))
    notes.push(importText('openEnd', { text: (cell('end') || cell('end_date') || cell('start')).slice(0, 40) }))
  return { starts, ends: ends ?? (lasts ? starts.add({ minutes: lasts }) : null), isAllDay: false, fault: null, notes }
}

/** Minutes of 06:00, when a day of the festival begins. */
const dayBegins = 6 * 60

const badTime = (which: 'start' | 'end', text: string, lacks: 'all' | 'date') =>
  importText('badTime', { which, text: text.slice(0, 40), lacks: isWeekdayAlone(text) ? 'weekday' : lacks })

function itemOf(row: TableRow, cell: (field: TableField) => string, times: RowTimes, width: number): ScheduleItem {
  const extra = row.cells.slice(width).some((text) => text.trim() !== '')
  const fault = extra ? importText('cells', { n: row.cells.length, columns: width }) : times.fault
  const when = [cell('date'), cell('start')].filter(Boolean).join(' ')
  return {
    place: atLine(row.line, cell('id')),
    id: cell('id') || `${cell('title')} ${when} ${cell('stage')}`.normalize('NFC'),
    title: cell('title'),
    description: [cell('subtitle'), cell('description')].filter(Boolean).join('\n\n'),
    kinds: [cell('category')].filter(Boolean),
    starts: times.starts,
    ends: times.ends,
    isAllDay: times.isAllDay,
    version: null,
    room: cell('stage'),
    position:
      cell('latitude') || cell('longitude')
        ? { latitude: numberIn(cell('latitude')), longitude: numberIn(cell('longitude')) }
        : null,
    people: cell('performers')
      .split(/[;\n]/)
      .map((each) => each.trim())
      .filter(Boolean)
      .map((each) => ({ id: each, name: each })),
    languages: languagesOf(cell('languages')),
    status: cell('status'),
    isFamilyFriendly: false,
    notes: times.notes,
    ...(fault === null ? {} : { fault }),
  }
}
