import type { ImportText } from './import-text.ts'

/** A programme of ten thousand events has about 20 MB. */
export const scheduleFileMaxMb = 24

export interface ScheduleFile {
  format: 'schedule JSON' | 'schedule XML' | 'iCalendar' | 'CSV'
  /** What the file calls itself; ids are unique within it. */
  source: string
  /** What was guessed about the whole file, such as its zone. */
  notes: ImportText[]
  items: ScheduleItem[]
}

/** One entry of the file, as written: neither checked nor complete. */
export interface ScheduleItem {
  /** Where it stands, for people: "event 12 (id 146)". */
  place: ImportText
  id: string
  title: string
  description: string
  /** Words that say what it is: type, track, categories. */
  kinds: string[]
  starts: Temporal.Instant | null
  /** null: open end. */
  ends: Temporal.Instant | null
  room: string
  /** NaN: something is given there that is no number. */
  position: { latitude: number; longitude: number } | null
  people: { id: string; name: string }[]
  languages: string[]
  status: string
  isFamilyFriendly: boolean
  /** Why its form alone rules it out. */
  fault?: ImportText
}

export interface ReadingOptions {
  /** Zone of times that say none. */
  zone: string
  /** Name of the file without its folder. */
  name: string
  /** Where staff send it from a screen: more events are for the command. */
  mostOnScreen?: number
}
