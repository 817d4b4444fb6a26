import { basename } from 'node:path'
import { readForeignFile } from '../../../kit/server/foreign-file.ts'
import { readInThread } from '../../../kit/server/read-in-thread.ts'
import type { CheckedSchedule } from './check-schedule.ts'
import { scheduleFileMaxMb, type ReadingOptions } from './schedule-item.ts'

/** Reads a schedule in a thread of its own, told apart by content. Throws `UnreadableFile`; it is read as a whole or not at all. */
export const readSchedule = (bytes: Uint8Array, options: ReadingOptions): Promise<CheckedSchedule> =>
  // its libraries would take memory in every process
  readInThread(new URL('./schedule-file.ts', import.meta.url), { bytes, options })

export async function readScheduleFile(path: string, zone: string): Promise<CheckedSchedule> {
  return readSchedule(await readForeignFile(path, scheduleFileMaxMb), { zone, name: basename(path) })
}
