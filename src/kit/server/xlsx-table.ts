import { unzipSync } from 'fflate'
import readWorkbook from 'read-excel-file/universal'
import { importText } from './import-text.ts'
import { tableOf, tableRowsMax, tooManyRows, type Table } from './csv-table.ts'
import { tooMuchMemory, UnreadableFile } from './unreadable-file.ts'

/** Bytes of an unpacked workbook; one of 100,000 rows has about 60 MB. A small ZIP file may claim or hold a thousand times more. */
const unpackedMost = 100 * 2 ** 20

/**
 * Reads the sheets of an Excel workbook (.xlsx) as tables, empty sheets left out. Cells become texts: dates "2026-11-28" or
 * "2026-11-28 20:00", times and durations "20:00". `isHeader` finds the header below titles.
 * @throws UnreadableFile
 */
export async function readXlsx(bytes: Uint8Array, isHeader?: (cells: string[]) => boolean): Promise<Table[]> {
  const sheets = await sheetsOf(bytes)
  return sheets
    .map(({ sheet, data }) => ({ sheet, rows: filledRows(data) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ sheet, rows }) => ({ ...tableOf(rows, isHeader), sheet: sheets.length > 1 ? sheet : '' }))
}

async function sheetsOf(bytes: Uint8Array) {
  let unpacked = 0
  try {
    unzipSync(bytes, { filter: ({ originalSize }) => ((unpacked += originalSize), false) })
    if (unpacked <= unpackedMost)
      return await readWorkbook(new Uint8Array(bytes).buffer, { parseNumber: (text) => text })
  } catch {
    // both libraries throw errors of all kinds, such as TypeError, for a broken file
    throw new UnreadableFile(
      'The file is a ZIP file, but not a readable Excel workbook (.xlsx). Save it again in Excel, or as CSV.',
      importText('fileNoWorkbook'),
    )
  }
  throw tooMuchMemory()
}

/** `data`: missing for a sheet without its part. */
function filledRows(data: readonly (readonly unknown[])[] = []) {
  if (data.length > tableRowsMax) throw tooManyRows()
  const withTimes = columnsWithTimes(data)
  return data.flatMap((cells, index) => {
    const texts = cells.map((cell, column) => textOf(cell, withTimes.has(column)))
    return texts.some((text) => text.trim() !== '') ? [{ cells: texts, line: index + 1 }] : []
  })
}

/** Columns where some date has a time of day: there a date without one means midnight. */
function columnsWithTimes(data: readonly (readonly unknown[])[]): Set<number> {
  const found = new Set<number>()
  for (const cells of data)
    cells.forEach((cell, column) => {
      if (cell instanceof Date && minutesOf(cell) % (24 * 60) !== 0 && minutesOf(cell) > timesBefore) found.add(column)
    })
  return found
}

/** Day 0 of Excel. Cells with a time or a duration alone are counted from it. */
const firstDay = Date.UTC(1899, 11, 30) / 60_000
/** Minutes from day 0. A date before is a duration; no festival was in February 1900. */
const timesBefore = 60 * 24 * 60

/** Minutes from day 0, rounded: Excel stores times as fractions of a day. */
const minutesOf = (cell: Date) => Math.round(cell.getTime() / 60_000) - firstDay

function textOf(cell: unknown, withTime: boolean): string {
  if (cell === null || cell === undefined) return ''
  if (!(cell instanceof Date)) return String(cell as string | number | boolean)
  if (Number.isNaN(cell.getTime())) return ''
  const minutes = minutesOf(cell)
  if (minutes < timesBefore)
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  const iso = new Date((minutes + firstDay) * 60_000).toISOString()
  return withTime || minutes % (24 * 60) !== 0 ? iso.slice(0, 16).replace('T', ' ') : iso.slice(0, 10)
}
