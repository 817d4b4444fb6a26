import { decodeText } from '../../../kit/server/decode-text.ts'
import { foreignKind } from '../../../kit/server/foreign-file.ts'
import { UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { slugOf } from '../../../kit/shared/slug.ts'
import { checkSchedule, type CheckedSchedule } from './check-schedule.ts'
import { importText } from '../../../kit/server/import-text.ts'
import { readCalendar } from './read-calendar.ts'
import { readCsv } from './read-csv.ts'
import { readScheduleJson } from './read-schedule-json.ts'
import { readScheduleXml } from './read-schedule-xml.ts'
import { itemsMost, scheduleFileMaxMb, type ReadingOptions, type ScheduleFile } from './schedule-item.ts'

export type { ScheduleFile, ScheduleItem } from './schedule-item.ts'

/** Run in the thread of `readSchedule`. @throws `UnreadableFile` */
export const read = (bytes: Uint8Array, options: ReadingOptions): CheckedSchedule =>
  checkSchedule(parseSchedule(bytes, options))

/** The events as the file has them, not checked yet. @throws `UnreadableFile` */
export function parseSchedule(bytes: Uint8Array, options: ReadingOptions): ScheduleFile {
  if (bytes.length > scheduleFileMaxMb * 2 ** 20) throw tooLarge(bytes.length)
  const foreign = foreignKind(bytes)
  if (foreign)
    throw new UnreadableFile(
      `The file is ${foreign.kind}. Export the programme as XML, JSON, iCalendar or CSV.`,
      importText('fileForeign', { kind: foreign.key }),
    )
  const { text, encoding } = decodeText(isCalendar(bytes) ? unfolded(bytes) : bytes)
  const content = text.trimStart()
  if (content === '') throw new UnreadableFile('The file is empty.', importText('fileEmpty'))
  if (content.includes('\0')) throw new UnreadableFile('The file is not a text file.', importText('fileNoText'))
  const read = readerOf(content)
  // a table keeps its blank lines, so that line numbers in the report are right
  const file = readAs(read, read === readCsv ? text : content, options)
  if (file.items.length === 0)
    throw new UnreadableFile(
      `The file is ${file.format}, but it holds no events.`,
      importText('fileNoEvents', { format: file.format }),
    )
  if (file.items.length > itemsMost)
    throw new UnreadableFile(
      `The file holds ${file.items.length} events; ${itemsMost} is the most.`,
      importText('fileManyEvents', { n: file.items.length, max: itemsMost }),
    )
  if (file.items.length > (options.mostOnScreen ?? itemsMost))
    throw new UnreadableFile(
      `The file holds more than ${options.mostOnScreen} events. Use "npm run import -- events FILE".`,
      importText('fileManyForScreen', { max: options.mostOnScreen! }),
    )
  if (encoding !== 'UTF-8') file.notes.unshift(importText('encoding', { encoding }))
  return { ...file, source: slugOf(file.source, 40) || slugOf(options.name.replace(/\.[a-z]+$/i, ''), 40) || 'import' }
}

/** The libraries parse by recursion: a file nested a million deep overflows the stack, which is a RangeError. */
function readAs(read: ReturnType<typeof readerOf>, content: string, options: ReadingOptions) {
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
  return readCsv
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

const tooLarge = (bytes: number) =>
  new UnreadableFile(
    `The file has ${Math.ceil(bytes / 2 ** 20)} MB; ${scheduleFileMaxMb} MB is the most. Split it, or check that it is the right one.`,
    importText('fileTooLarge', { mb: Math.ceil(bytes / 2 ** 20), max: scheduleFileMaxMb }),
  )
