import { createHash } from 'node:crypto'
import type { Sql } from '../../kit/server/database.ts'
import type { Asking } from '../../kit/server/serve-endpoint.ts'
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
import { readSchedule } from './import/read-schedule.ts'
import type { EventRoom } from './programme.ts'

/**
 * Imports a schedule file, or with `dry_run` reports what it would change. The report has a line for each event that was refused.
 * @throws `schedule_unreadable`, `unconfirmed`, `import_busy`, `key_used`
 */
export async function importEvents(
  room: EventRoom,
  asking: Asking,
  body: CheckedInput<typeof importEndpoint>['body'],
  file: ReceivedFile | undefined,
): Promise<AnswerBody<typeof importEndpoint>> {
  // an empty file counts as absent
  const speak = speaker(room.texts, asking.locale)
  if (!file) throw unreadable(speak(importText('fileEmpty')))
  const read = await readFile(file, room, speak)
  const source = body.source?.trim() || read.source
  const fileName = file.name || 'file'
  const options = { file: read, fileName, dryRun: body.dry_run, source, waitMs: requestWaitsMs }
  const answerOf = async (db: Sql, { remarks, ...report }: ScheduleReport) => {
    const all = [...read.notes.map((text) => noteOf(fileName, text)), ...remarks]
    const reach = await reachOf(db, report.edits, room.countSavers)
    return {
      entry_id: report.entryId,
      source,
      counts: report.counts,
      reach,
      remarks: remarksOfAnswer(all, speak),
    }
  }
  try {
    // a dry run writes nothing, so it needs no idempotency key
    if (body.dry_run) return await answerOf(room.db, await importSchedule(room, { ...options, actor: command }))
    const { confirmed } = body
    const input = { source, file: createHash('sha256').update(file.bytes).digest('hex') }
    return await once(room, asking, { operation: 'import-events', input }, async (trx, actor) => {
      const answer = await answerOf(trx, await importWithin(trx, room, { ...options, actor }))
      expectConfirmed(answer.reach, confirmed)
      return answer
    })
  } catch (error) {
    if (error instanceof ScheduleImportBusy) throw new Refusal(importBusy, { retryAfterS: 60 })
    throw error
  }
}

async function readFile({ bytes, name }: ReceivedFile, { zone, complain }: EventRoom, speak: Speaker) {
  try {
    return await readSchedule(bytes, { zone, name, mostOnScreen: importMostEvents })
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    // a fault of the reader, not of the file
    if (error.cause) complain('A file of a programme broke its reader.', error.cause)
    throw unreadable(error.text ? speak(error.text) : error.message)
  }
}

const unreadable = (why: string) => new Refusal(scheduleUnreadable, { values: { why } })
