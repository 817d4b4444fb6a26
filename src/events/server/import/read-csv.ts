import { parse } from 'csv-parse/sync'
import { languagesOf } from './read-schedule-json.ts'
import { tableMomentOf, timeFault } from './read-times.ts'
import { UnreadableSchedule, type ReadingOptions, type ScheduleFile, type ScheduleItem } from './schedule-item.ts'

const columns =
  'id, title, starts_at, ends_at, stage, description, category, performers, languages, latitude, longitude, url, status'

/** A table with a header line; "title" and "starts_at" are needed, performers have a semicolon between them. */
export function readCsv(
  text: string,
  { zone, name }: ReadingOptions,
): Omit<ScheduleFile, 'source'> & { source: string } {
  const header = text.slice(0, text.search(/[\r\n]|$/))
  let rows: Record<string, string>[]
  try {
    rows = parse(text, {
      bom: true,
      columns: (names: string[]) => names.map((each) => each.trim().toLowerCase()),
      delimiter: (header.match(/;/g)?.length ?? 0) > (header.match(/,/g)?.length ?? 0) ? ';' : ',',
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: 200_000,
    })
  } catch (error) {
    throw new UnreadableSchedule(`The file cannot be read as a table: ${(error as Error).message.slice(0, 200)}`)
  }
  if (rows.length > 0 && (rows[0]!['title'] === undefined || rows[0]!['starts_at'] === undefined))
    throw new UnreadableSchedule(
      `The file is no schedule. A table needs the columns "title" and "starts_at"; it may have ${columns}.`,
    )
  return {
    format: 'CSV',
    source: name.replace(/\..*$/, ''),
    notes: [`Times without an offset are read as ${zone} (--zone).`],
    items: rows.map((row, index) => itemOf(row, index, zone)),
  }
}

function itemOf(row: Record<string, string>, index: number, zone: string): ScheduleItem {
  const said = (name: string) => (row[name] ?? '').trim()
  const [latitude, longitude] = [Number(said('latitude') || Number.NaN), Number(said('longitude') || Number.NaN)]
  const read = (text: string) => tableMomentOf(text, zone)
  const fault = timeFault(said('starts_at'), said('ends_at'), read)
  return {
    place: `line ${index + 2}${said('id') ? ` (id ${said('id').slice(0, 80)})` : ''}`,
    id: said('id') || `${said('title')} ${said('starts_at')} ${said('stage')}`,
    title: said('title'),
    description: said('description'),
    kinds: [said('category')].filter(Boolean),
    starts: read(said('starts_at')),
    ends: read(said('ends_at')),
    room: said('stage'),
    position: Number.isFinite(latitude) && Number.isFinite(longitude) ? { latitude, longitude } : null,
    people: said('performers')
      .split(';')
      .map((each) => each.trim())
      .filter(Boolean)
      .map((each) => ({ id: each, name: each })),
    languages: languagesOf(said('languages')),
    url: said('url'),
    isCancelled: said('status').toLowerCase() === 'cancelled',
    isFamilyFriendly: false,
    ...(fault === null ? {} : { fault }),
  }
}
