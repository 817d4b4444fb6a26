import { decodeText } from '../../../kit/server/decode-text.ts'
import { foreignKind } from '../../../kit/server/foreign-file.ts'
import { UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { slugOf } from '../../../kit/shared/slug.ts'
import { checkSchedule, type CheckedSchedule } from './check-schedule.ts'
import { importText } from '../../../kit/server/import-text.ts'
import { readCalendar } from './read-calendar.ts'
import { readTable } from '../../../kit/server/csv-table.ts'
import { readXlsx } from '../../../kit/server/xlsx-table.ts'
import { readTables } from './read-table.ts'
import { isProgrammeHeader } from './table-columns.ts'
import { readScheduleJson } from './read-schedule-json.ts'
import { readScheduleXml } from './read-schedule-xml.ts'
import { itemsMost, scheduleFileMaxMb, sourceOfName, type ReadingOptions, type ScheduleFile } from './schedule-item.ts'

export type { ScheduleFile, ScheduleItem } from './schedule-item.ts'

/** Run in the thread of `readSchedule`. @throws `UnreadableFile` */
export const read = async (bytes: Uint8Array, options: ReadingOptions): Promise<CheckedSchedule> =>
  checkSchedule(foreignKind(bytes)?.key === 'zip' ? await parseWorkbook(bytes, options) : parseSchedule(bytes, options))

/** The events of an Excel workbook as it has them, not checked yet. @throws `UnreadableFile` */
export async function parseWorkbook(bytes: Uint8Array, options: ReadingOptions): Promise<ScheduleFile> {
  refuseTooLarge(bytes)
  return expectEvents(readTables(await readXlsx(bytes, isProgrammeHeader), options, 'Excel'), options)
}

/** The events of a text file as it has them, not checked yet. @throws `UnreadableFile` */
export function parseSchedule(bytes: Uint8Array, options: ReadingOptions): ScheduleFile {
  refuseTooLarge(bytes)
  return expectEvents(readText(bytes, options), options)
}

function refuseTooLarge(bytes: Uint8Array) {
  const mb = Math.ceil(bytes.length / 2 ** 20)
  if (bytes.length > scheduleFileMaxMb * 2 ** 20)
    throw new UnreadableFile(
      `The file has ${mb} MB; the maximum is ${scheduleFileMaxMb} MB. Split it, or check that it is the right one.`,
      importText('fileTooLarge', { mb, max: scheduleFileMaxMb }),
    )
}

/** @throws `UnreadableFile` if there are no events, or too many */
function expectEvents(file: ScheduleFile, options: ReadingOptions): ScheduleFile {
  if (file.items.length === 0 && file.table?.is_enough !== false)
    throw new UnreadableFile(
      `The file is ${file.format}, but it holds no events.`,
      importText('fileNoEvents', { format: file.format }),
    )
  if (file.items.length > itemsMost)
    throw new UnreadableFile(
      `The file has ${file.items.length} events; the maximum is ${itemsMost}.`,
      importText('fileManyEvents', { n: file.items.length, max: itemsMost }),
    )
  if (file.items.length > (options.mostOnScreen ?? itemsMost))
    throw new UnreadableFile(
      `The file has more than ${options.mostOnScreen} events. Use "npm run import -- events FILE".`,
      importText('fileManyForScreen', { max: options.mostOnScreen! }),
    )
  if (file.unread.length > 0) file.notes.push(importText('unread', { names: named(file.unread) }))
  return { ...file, source: slugOf(file.source, 40) || sourceOfName(options.name) }
}

/** Names in a note; a file may have thousands. */
const namedMost = 20

function named(names: readonly string[]): string {
  const shown = names.slice(0, namedMost).map((name) => `“${name.slice(0, 40)}”`)
  return [...shown, ...(names.length > namedMost ? ['…'] : [])].join(', ')
}

function readText(bytes: Uint8Array, options: ReadingOptions): ScheduleFile {
  const foreign = foreignKind(bytes)
  if (foreign)
    throw new UnreadableFile(
      `The file is ${foreign.kind}. Export the programme as XML, JSON, iCalendar, Excel (.xlsx) or CSV.`,
      importText('fileForeign', { kind: foreign.key }),
    )
  const { text, encoding } = decodeText(isCalendar(bytes) ? unfolded(bytes) : bytes)
  const content = text.trimStart()
  if (content === '') throw new UnreadableFile('The file is empty.', importText('fileEmpty'))
  if (content.includes('\0')) throw new UnreadableFile('The file is not a text file.', importText('fileNoText'))
  const read = readerOf(content)
  // a table keeps its blank lines, so that line numbers in the report are right
  const file = read ? readAs(read, content, options) : readTables([readTable(text, isProgrammeHeader)], options, 'CSV')
  if (encoding !== 'UTF-8') file.notes.unshift(importText('encoding', { encoding }))
  return file
}

/** The libraries parse by recursion: a file nested a million deep overflows the stack, which is a RangeError. */
function readAs(read: NonNullable<ReturnType<typeof readerOf>>, content: string, options: ReadingOptions) {
  try {
    return read(content, options)
  } catch (error) {
    if (error instanceof RangeError)
      throw new UnreadableFile('The file is nested too deeply for a schedule.', importText('fileNested'))
    throw error
  }
}

function readerOf(content: string) {
  if (/^[[{]/.test(content)) return readScheduleJson
  if (content.startsWith('<')) return readScheduleXml
  if (calendarStart.test(content.slice(0, 4000))) return readCalendar
  return null
}

/** Lines before the calendar are no part of it. */
const calendarStart = /^BEGIN:V(?:CALENDAR|EVENT)[ \t]*$/im
const isCalendar = (bytes: Uint8Array) => calendarStart.test(Buffer.from(bytes.subarray(0, 4000)).toString('latin1'))

/** Joins folded lines before decoding: iCalendar folds after 75 bytes, also within a letter of UTF-8 (RFC 5545, 3.1). */
function unfolded(bytes: Uint8Array): Uint8Array {
  const [lf, cr, space, tab] = [10, 13, 32, 9]
  const joined = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const end = bytes[at] === cr && bytes[at + 1] === lf ? at + 1 : at
    const next = bytes[end + 1]
    if ((bytes[end] === lf || bytes[end] === cr) && (next === space || next === tab)) at = end + 1
    else joined[length++] = bytes[at]!
  }
  return joined.subarray(0, length)
}
