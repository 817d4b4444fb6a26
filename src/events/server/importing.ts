import { createHash } from 'node:crypto'
import type { Sql } from '../../kit/server/database.ts'
import type { RequestContext } from '../../kit/server/serve-endpoint.ts'
import { UnreadableFile } from '../../kit/server/unreadable-file.ts'
import type { AnswerBody, CheckedInput, ReceivedFile } from '../../kit/shared/endpoint.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { importBusy } from '../../staff/contract.ts'
import { noteOf, remarksOfAnswer } from '../../staff/server/import-report.ts'
import { command, expectConfirmed, once } from '../../staff/server/staff.ts'
import { importMostEvents, scheduleUnreadable, type importEvents as importEndpoint } from '../contract.ts'
import { reachOf } from './edits.ts'
import {
  importSchedule,
  importWithin,
  requestWaitsMs,
  ScheduleImportBusy,
  type ScheduleReport,
} from './import-schedule.ts'
import { importText, speaker, type Speaker } from '../../kit/server/import-text.ts'
import type { CheckedSchedule } from './import/check-schedule.ts'
import { readSchedule } from './import/read-schedule.ts'
import { sourceOfName } from './import/schedule-item.ts'
import type { EventRoom } from './programme.ts'
import * as store from './store.ts'

/**
 * Imports a schedule file, or with `dry_run` reports what it would change. The report has a line for each event that was refused.
 * @throws `schedule_unreadable`, `unconfirmed`, `import_busy`, `key_used`
 */
export async function importEvents(
  room: EventRoom,
  asking: RequestContext,
  body: CheckedInput<typeof importEndpoint>['body'],
  file: ReceivedFile | undefined,
): Promise<AnswerBody<typeof importEndpoint>> {
  // an empty file counts as absent
  const speak = speaker(room.texts, asking.locale)
  if (!file) throw unreadable(speak(importText('fileEmpty')))
  const fileName = file.name || 'file'
  const known = await store.findSourceChoice(room.db, body.source?.trim() || sourceOfName(fileName))
  const choice: store.SourceChoice = {
    columns: chosenColumns(known?.columns ?? {}, body.columns ?? {}),
    day_order: body.day_order ?? known?.day_order ?? null,
  }
  const read = await readProgramme(room, file.bytes, { name: fileName, choice, isDry: body.dry_run }).catch(
    (error: unknown) => {
      throw refusalOf(error, speak)
    },
  )
  if (!body.dry_run && read.table?.unclear_date)
    throw unreadable(speak(importText('unclearOrder', { text: read.table.unclear_date })))
  const source = body.source?.trim() || read.source
  const options = { file: read, fileName, dryRun: body.dry_run, source, waitMs: requestWaitsMs }
  const answerOf = async (db: Sql, report: ScheduleReport) => {
    const answer = await reportAnswer(room, db, { source, fileName, file: read, report }, speak)
    return { ...answer, table: read.table ?? null }
  }
  try {
    // a dry run writes nothing, so it needs no idempotency key
    if (body.dry_run) return await answerOf(room.db, await importSchedule(room, { ...options, actor: command }))
    const { confirmed } = body
    const input = { source, file: createHash('sha256').update(file.bytes).digest('hex'), choice }
    return await once(room, asking, { operation: 'import-events', input }, async (trx, actor) => {
      const answer = await answerOf(trx, await importWithin(trx, room, { ...options, actor }))
      expectConfirmed(answer.reach, confirmed)
      if (body.columns ?? body.day_order) await store.writeSourceChoice(trx, source, choice)
      return answer
    })
  } catch (error) {
    if (error instanceof ScheduleImportBusy) throw new Refusal(importBusy, { retryAfterS: 60 })
    throw error
  }
}

/** The report of an import in a reader's language. */
export async function reportAnswer(
  room: EventRoom,
  db: Sql,
  {
    source,
    fileName,
    file,
    report,
  }: { source: string; fileName: string; file: CheckedSchedule; report: ScheduleReport },
  speak: Speaker,
) {
  const remarks = [...file.notes.map((text) => noteOf(fileName, text)), ...report.remarks]
  return {
    entry_id: report.entryId,
    source,
    counts: report.counts,
    reach: await reachOf(db, report.edits, room.countSavers),
    remarks: remarksOfAnswer(remarks, speak),
  }
}

/** A new choice goes before the remembered ones, also where these have another column for the same field. */
function chosenColumns(known: Record<string, string>, chosen: Record<string, string>): Record<string, string> {
  const fields = new Set(Object.values(chosen))
  return { ...Object.fromEntries(Object.entries(known).filter(([, field]) => !fields.has(field))), ...chosen }
}

/**
 * Reads the bytes of a programme. `isDry`: a table without title or start is answered with its headings.
 * @throws `UnreadableFile`
 */
export async function readProgramme(
  room: EventRoom,
  bytes: Uint8Array,
  { name, choice, isDry }: { name: string; choice: store.SourceChoice | null; isDry: boolean },
): Promise<CheckedSchedule> {
  try {
    return await readSchedule(bytes, {
      zone: room.zone,
      name,
      // days that follow from the programme would change with each import
      lastDay: room.days?.end ?? null,
      festival: room.days,
      year: room.clock.now().toZonedDateTimeISO(room.zone).year,
      columns: choice?.columns ?? {},
      mayLackColumns: isDry,
      mostOnScreen: importMostEvents,
      ...(choice?.day_order ? { dayOrder: choice.day_order } : {}),
    })
  } catch (error) {
    // a fault of the reader, not of the file
    if (error instanceof UnreadableFile && error.cause)
      room.complain('A file of a programme broke its reader.', error.cause)
    throw error
  }
}

/** The refusal for an error of `readProgramme`; other errors as they are. */
export const refusalOf = (error: unknown, speak: Speaker): unknown =>
  error instanceof UnreadableFile ? unreadable(error.text ? speak(error.text) : error.message) : error

const unreadable = (why: string) => new Refusal(scheduleUnreadable, { values: { why } })
