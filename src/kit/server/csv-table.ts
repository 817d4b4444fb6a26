import { parse } from 'csv-parse/sync'
import { numberText } from '../shared/numbers.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** An Excel sheet has at most 1,048,576 rows. More would not fit into memory. */
export const tableRowsMax = 1_100_000
/** Characters. A longer row means that a quote or a line break is missing. */
const rowMaxLength = 1_000_000

export interface Table {
  /** The header as written. */
  headings: string[]
  /** The header in lower case. */
  names: string[]
  rows: TableRow[]
  /** Name of the sheet, of a workbook with several; else empty. */
  sheet: string
}

export interface TableRow {
  cells: string[]
  /** Line of the file where the row begins, from 1. */
  line: number
  /** Set where the row has more or fewer cells than the header. */
  fault?: string
}

/**
 * Reads a CSV file with a header; blank rows are left out. `isHeader` finds the header below titles.
 * @throws UnreadableFile, also for a stray quote, as it may have swallowed rows
 */
export const readTable = (text: string, isHeader?: (cells: string[]) => boolean): Table =>
  tableOf(filledRows(text), isHeader)

/** Rows in which a header is looked for. */
const headerWithin = 20

/** Splits rows into header and content. Rows above the header are left out. */
export function tableOf(all: readonly TableRow[], isHeader: (cells: string[]) => boolean = () => true): Table {
  const at = Math.max(
    all.slice(0, headerWithin).findIndex(({ cells }) => isHeader(cells)),
    0,
  )
  const headings = all[at]?.cells.map((name) => name.trim()) ?? []
  const rows = all.slice(at + 1)
  for (const row of rows)
    if (row.cells.length !== headings.length)
      row.fault = `has ${row.cells.length} cells where the header has ${headings.length}: a separator or a quote is missing or too many`
  return { headings, names: headings.map((name) => name.toLowerCase()), rows, sheet: '' }
}

function filledRows(text: string): TableRow[] {
  // rewrite line breaks only where the file mixes them: there may be millions
  const lineBreak = text.includes('\n') ? '\n' : '\r'
  const unified = lineBreak === '\n' ? text.replace(/\r(?!\n)/g, '\n') : text
  // Excel's extra first line, which names the separator
  const sep = /^sep=([,;\t])(?:\r?\n|\r)/i.exec(unified)
  const content = sep ? unified.slice(sep[0].length - 1) : unified
  const delimiter = sep?.[1] ?? delimiterOf(content)
  const { filled, numbers } = withoutBlankLines(content, delimiter, lineBreak)
  const found: TableRow[] = []
  let lastLine = 0
  try {
    parse(filled, {
      delimiter,
      max_record_size: rowMaxLength,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: false,
      // collect rows here: the parser would return each record with a large description
      onRecord: (cells, { lines }) => {
        if (cells.some((cell) => cell.trim() !== '')) found.push({ cells, line: numbers[lastLine]! })
        lastLine = lines
        return null
      },
    })
    return found
  } catch (error) {
    const { code, lines } = error as { code?: string; lines?: number }
    if (code === 'CSV_QUOTE_NOT_CLOSED')
      throw new UnreadableFile(
        `The row of line ${numbers[lastLine]} opens a quote that is never closed: the file is truncated or broken.`,
        { key: 'fileQuoteOpen', values: { line: numbers[lastLine]! } },
      )
    if (code?.includes('QUOTE'))
      throw new UnreadableFile(
        `Line ${numbers[lines! - 1]} has a quote in the wrong place. A cell with quotes must itself be in quotes, with each inner quote doubled.`,
        { key: 'fileQuoteWrong', values: { line: numbers[lines! - 1]! } },
      )
    if (code === 'CSV_MAX_RECORD_SIZE') throw rowTooLong(numbers[lastLine]!)
    throw error
  }
}

/**
 * Removes blank lines and returns the numbers, from 1, of the lines that stay: the parser makes a record of every blank line, which
 * takes minutes for a file of blank lines. Lines within quotes stay; there the number of quotes so far is odd.
 */
function withoutBlankLines(
  content: string,
  delimiter: string,
  lineBreak: '\n' | '\r',
): { filled: string; numbers: number[] } {
  const blank = new RegExp(`^[\\s${delimiter}]*$`)
  const filled: string[] = []
  const numbers: number[] = []
  let isQuoted = false
  for (let start = 0, number = 1; start < content.length; number++) {
    const found = content.indexOf(lineBreak, start)
    const end = found < 0 ? content.length : found
    if (isQuoted || (end > start && !blank.test(content.slice(start, end)))) {
      const line = content.slice(start, content[end - 1] === '\r' ? end - 1 : end)
      if (line.length > rowMaxLength) throw rowTooLong(number)
      if (numbers.push(number) > tableRowsMax) throw tooManyRows()
      filled.push(line)
      for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) isQuoted = !isQuoted
    }
    start = end + 1
  }
  return { filled: filled.join('\n'), numbers }
}

function rowTooLong(line: number): UnreadableFile {
  return new UnreadableFile(
    `The row of line ${line} has more than ${numberText('en', rowMaxLength)} characters: a quote or a line break is missing.`,
    { key: 'fileRowTooLong', values: { line, max: rowMaxLength } },
  )
}

/** The separator that the header has most often. */
function delimiterOf(content: string): string {
  const header = content
    .trimStart()
    .split(/[\r\n]/, 1)[0]!
    .slice(0, rowMaxLength)
    .replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((each) => ({ each, count: header.split(each).length }))
  return counts.reduce((a, b) => (b.count > a.count ? b : a)).each
}

export function tooManyRows(): UnreadableFile {
  return new UnreadableFile(`The file has more than ${numberText('en', tableRowsMax)} rows. Split it.`, {
    key: 'fileManyRows',
    values: { max: tableRowsMax },
  })
}

/** A number as typed into a table; a comma is a decimal point, as in German Excel. NaN for other texts. */
export function numberIn(text: string): number {
  return /^[+-]?\d{1,12}(?:[.,]\d{1,20})?(?:e-?\d{1,2})?$/i.test(text.trim())
    ? Number(text.trim().replace(',', '.'))
    : Number.NaN
}
