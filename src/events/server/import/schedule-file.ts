import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { foreignKind } from '../../../kit/server/foreign-file.ts'
import { UnreadableFile } from '../../../kit/server/unreadable-file.ts'
import { slugOf } from '../../../kit/shared/slug.ts'
import { importText } from './import-text.ts'
import { readCalendar } from './read-calendar.ts'
import { readCsv } from './read-csv.ts'
import { readScheduleJson } from './read-schedule-json.ts'
import { readScheduleXml } from './read-schedule-xml.ts'
import type { ReadingOptions, ScheduleFile } from './schedule-item.ts'

export type { ScheduleFile, ScheduleItem } from './schedule-item.ts'

/** A programme of ten thousand events has about 20 MB. */
export const scheduleFileMaxMb = 24
/** More are no programme of one festival. */
const itemsMax = 20_000

/** Reads a schedule file, told apart by content. Throws `UnreadableFile`; a file is read as a whole or not at all. */
export async function readScheduleFile(path: string, zone: string): Promise<ScheduleFile> {
  let info
  try {
    info = await stat(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UnreadableFile(
      `The file ${path} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}.`,
    )
  }
  if (!info.isFile()) throw new UnreadableFile(`${path} is not a file.`)
  if (info.size > scheduleFileMaxMb * 2 ** 20) throw tooLarge(info.size)
  return parseSchedule(await readFile(path), { zone, name: basename(path) })
}

/** The same for bytes at hand. */
export function parseSchedule(bytes: Uint8Array, options: ReadingOptions): ScheduleFile {
  if (bytes.length > scheduleFileMaxMb * 2 ** 20) throw tooLarge(bytes.length)
  const foreign = foreignKind(bytes)
  if (foreign)
    throw new UnreadableFile(
      `The file is ${foreign.kind}. Export the programme as XML, JSON, iCalendar or CSV.`,
      importText('fileForeign', { kind: foreign.key }),
    )
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableFile('The file is not text in UTF-8. Save it as UTF-8.', importText('fileNoUtf8'))
  }
  const content = text.trimStart()
  if (content === '') throw new UnreadableFile('The file is empty.', importText('fileEmpty'))
  if (content.includes('\0')) throw new UnreadableFile('The file is not a text file.', importText('fileNoText'))
  const read = readerOf(content)
  // the lines of a table are counted from the first one of the file
  const file = readAs(read, read === readCsv ? text : content, options)
  if (file.items.length === 0)
    throw new UnreadableFile(
      `The file is ${file.format}, but it holds no events.`,
      importText('fileNoEvents', { format: file.format }),
    )
  if (file.items.length > itemsMax)
    throw new UnreadableFile(
      `The file holds ${file.items.length} events; ${itemsMax} is the most.`,
      importText('fileManyEvents', { n: file.items.length, max: itemsMax }),
    )
  return { ...file, source: slugOf(file.source, 40) || slugOf(options.name.replace(/\.[a-z]+$/i, ''), 40) || 'import' }
}

/** The libraries read elements within elements by calling themselves, and a file may nest them a million deep. */
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
  if (/^BEGIN:VCALENDAR/i.test(content)) return readCalendar
  return readCsv
}

const tooLarge = (bytes: number) =>
  new UnreadableFile(
    `The file has ${Math.ceil(bytes / 2 ** 20)} MB; ${scheduleFileMaxMb} MB is the most. Split it, or check that it is the right one.`,
    importText('fileTooLarge', { mb: Math.ceil(bytes / 2 ** 20), max: scheduleFileMaxMb }),
  )
