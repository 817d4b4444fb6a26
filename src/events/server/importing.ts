import { createHash } from 'node:crypto'
import type { Sql } from '../../kit/server/database.ts'
import type { Asking } from '../../kit/server/serve-endpoint.ts'
import { UnreadableFile } from '../../kit/server/unreadable-file.ts'
import type { AnswerBody, CheckedInput, ReceivedFile } from '../../kit/shared/endpoint.ts'
import { grouped } from '../../kit/shared/grouped.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { importBusy } from '../../staff/contract.ts'
import { command, expectConfirmed, once } from '../../staff/server/staff.ts'
import {
  importMostEvents,
  importMostRemarks,
  scheduleUnreadable,
  type importEvents as importEndpoint,
} from '../contract.ts'
import { reachOf } from './changes.ts'
import {
  importSchedule,
  importWithin,
  requestWaitsMs,
  ScheduleImportBusy,
  spoken,
  type ScheduleReport,
} from './import-schedule.ts'
import { importText, speaker, type ImportText, type Speaker } from './import/import-text.ts'
import { readSchedule } from './import/read-schedule.ts'
import type { EventRoom } from './programme.ts'

/**
 * Throws `schedule_unreadable`, `unconfirmed`, `import_busy`; a file that is read has a report line for each event that it does not
 * take.
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
  const wish = { file: read, fileName, dryRun: body.dry_run, source, waitMs: requestWaitsMs }
  const answerOf = async (db: Sql, { remarks, ...report }: ScheduleReport) => {
    const all = [...read.notes.map((text) => noteOf(fileName, text)), ...remarks]
    const reach = await reachOf(db, report.changes, room.countSavers)
    return { ...reportOf(source, { ...report, remarks: all }, speak), reach }
  }
  try {
    // what writes nothing may be asked again, and its answer is another one each time
    if (body.dry_run) return await answerOf(room.db, await importSchedule(room, { ...wish, actor: command }))
    const { confirmed } = body
    const input = { source, file: createHash('sha256').update(file.bytes).digest('hex') }
    return await once(room, asking, { operation: 'import-events', input }, async (trx, actor) => {
      const answer = await answerOf(trx, await importWithin(trx, room, { ...wish, actor }))
      expectConfirmed(answer.reach, confirmed)
      return answer
    })
  } catch (error) {
    if (error instanceof ScheduleImportBusy) throw new Refusal(importBusy, { retryAfterS: 60 })
    throw error
  }
}

/** What holds for the whole file. */
const noteOf = (fileName: string, text: ImportText) => ({
  kind: 'note' as const,
  place: fileName ? importText('plain', { text: fileName }) : null,
  title: '',
  texts: [text],
})

function reportOf(
  source: string,
  report: ScheduleReport,
  speak: Speaker,
): Omit<AnswerBody<typeof importEndpoint>, 'reach'> {
  // an event may be refused for what the answer cannot be remembered with either
  const short = (text: string, max: number) =>
    [...text.replaceAll('\0', '\ufffd').toWellFormed()].slice(0, max).join('')
  return {
    entry_id: report.entryId,
    source,
    counts: report.counts,
    remarks: mostTelling(report.remarks)
      .map((remark) => spoken(speak, remark))
      .map(({ kind, place, title, text }) => ({
        kind,
        place: short(place, 200),
        title: short(title, 300),
        text: short(text, 500),
      })),
  }
}

/** Of a report that is longer than an answer may be what asks for a decision stays, and the last line says how much is missing. */
function mostTelling(remarks: ScheduleReport['remarks']): ScheduleReport['remarks'] {
  if (remarks.length <= importMostRemarks) return remarks
  const order = ['refused', 'missing', 'note', 'changed', 'new']
  const shown = remarks
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .slice(0, importMostRemarks - 1)
  const rest = grouped(remarks.length - shown.length)
  return [...shown, noteOf('', importText('notShown', { n: rest }))]
}

async function readFile({ bytes, name }: ReceivedFile, { zone, complain }: EventRoom, speak: Speaker) {
  try {
    return await readSchedule(bytes, { zone, name, mostOnScreen: importMostEvents })
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    // nobody foresaw such a file
    if (error.cause) complain('A file of a programme broke its reader.', error.cause)
    throw unreadable(error.text ? speak(error.text) : error.message)
  }
}

const unreadable = (why: string) => new Refusal(scheduleUnreadable, { values: { why } })
