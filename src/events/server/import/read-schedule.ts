import { basename } from 'node:path'
import { readForeignFile } from '../../../kit/server/foreign-file.ts'
import { readInThread } from '../../../kit/server/read-in-thread.ts'
import type { CheckedSchedule } from './check-schedule.ts'
import { scheduleFileMaxMb, type ReadingOptions } from './schedule-item.ts'

/** Reads a schedule file in a worker thread; its content decides the format. @throws `UnreadableFile` */
export const readSchedule = (bytes: Uint8Array, options: ReadingOptions): Promise<CheckedSchedule> =>
  // a thread, so that the libraries take memory only while a file is read
  readInThread(new URL('./schedule-file.ts', import.meta.url), { bytes, options })

export async function readScheduleFile(path: string, options: Omit<ReadingOptions, 'name'>): Promise<CheckedSchedule> {
  return readSchedule(await readForeignFile(path, scheduleFileMaxMb), { ...options, name: basename(path) })
}
