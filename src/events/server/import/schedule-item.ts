import { slugOf } from '../../../kit/shared/slug.ts'
import type { DayOrder, TableField } from '../../limits.ts'
import type { ImportText } from '../../../kit/server/import-text.ts'

/** A programme of ten thousand events has about 20 MB. */
export const scheduleFileMaxMb = 24

/** Events of a file; no festival has more. */
export const itemsMost = 20_000

/** The source that a file without a name of its own is taken for: the name of the file. */
export const sourceOfName = (fileName: string) => slugOf(fileName.replace(/\..*$/, ''), 40) || 'import'

export interface ScheduleFile {
  format: 'schedule JSON' | 'schedule XML' | 'iCalendar' | 'CSV' | 'Excel'
  /** Name of the list that the file holds; identities are unique within it. */
  source: string
  /** Assumptions about the whole file, such as its zone. */
  notes: ImportText[]
  /** Names of properties, elements or columns that hold something and are not read. */
  unread: string[]
  items: ScheduleItem[]
  /** Of tables: how their columns were read. */
  table?: TableReading
}

/** How a table was read, so that a person can see and correct it. */
export interface TableReading {
  columns: { heading: string; sample: string; field: TableField | null }[]
  /** False: title or start are in no column, so nothing was read. */
  is_enough: boolean
  day_order: DayOrder
  /** A date such as "03/04/2026" where both orders are possible and nothing tells which; null: the order is known. */
  unclear_date: string | null
}

/** An event as the file has it, not checked yet. */
export interface ScheduleItem {
  /** Where it stands in the file, for the report: "event 12 (id 146)". */
  place: ImportText
  id: string
  title: string
  description: string
  /** Type, track and categories in the words of the file. */
  kinds: string[]
  starts: Temporal.Instant | null
  /** True: the file gives days, not times. Start and end are then 06:00 of the first day and of the day after the last. */
  isAllDay: boolean
  /** Of iCalendar: among equal ids the highest sequence counts, then the last change (ISO). null: the format has no versions. */
  version: { sequence: number; modified: string } | null
  /** null: open end. */
  ends: Temporal.Instant | null
  room: string
  /** NaN: the file has something there that is no number. */
  position: { latitude: number; longitude: number } | null
  people: { id: string; name: string }[]
  languages: string[]
  status: string
  isFamilyFriendly: boolean
  /** What was understood in part, such as an end that is no time. */
  notes?: ImportText[]
  /** Why the event cannot be read. */
  fault?: ImportText
}

export interface ReadingOptions {
  /** Zone of times that name none, and of days. */
  zone: string
  /** Last day of the festival, YYYY-MM-DD: an entry that repeats without end is read up to it. null: not known. */
  lastDay?: string | null
  /** Days of the festival, YYYY-MM-DD, for weekdays without a date. null: not known. */
  festival?: { start: string; end: string } | null
  /** Name of the file without its folder. */
  name: string
  /** Of dates that name none. */
  year?: number
  /** A person's choice of the field by heading, "" for none. */
  columns?: Readonly<Record<string, string>>
  /** A person's choice of the order in dates such as 03/04/2026. */
  dayOrder?: DayOrder
  /** True: a table without title or start is answered with its headings, for a person to choose the columns. */
  mayLackColumns?: boolean
  /** Most events of a file sent from a screen; larger files need the command. */
  mostOnScreen?: number
}
