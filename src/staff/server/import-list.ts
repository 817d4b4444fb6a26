import { createHash } from 'node:crypto'
import type { Clock } from '../../kit/server/clock.ts'
import type { Complain } from '../../kit/server/complaints.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { importText, speaker, type ImportText } from '../../kit/server/import-text.ts'
import { readInThread } from '../../kit/server/read-in-thread.ts'
import type { RequestContext, Texts } from '../../kit/server/serve-endpoint.ts'
import { UnreadableFile } from '../../kit/server/unreadable-file.ts'
import type { ReceivedFile } from '../../kit/shared/endpoint.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { listMostRows, listUnreadable, tooFarAway, type FarAway, type ListReport, type Reach } from '../contract.ts'
import { TooFarAway } from './far-away.ts'
import { refuseBusy, requestWaitsMs } from './import-lock.ts'
import { remarksOfAnswer, type ImportCounts, type ImportRemark } from './import-report.ts'
import { command, expectConfirmed, once, type Actor } from './staff.ts'

/** What an import of a list did, or in a dry run would do. */
export interface ListOutcome {
  counts: ImportCounts
  remarks: ImportRemark[]
  /** The places that lie far from the festival; null: none. */
  far: FarAway | null
  /** Of the log; null: nothing was written. */
  entryId: string | null
  /** Ids of the known rows that change. */
  changedIds: string[]
}

export interface ListOptions {
  /** Reports only; writes nothing. */
  dryRun: boolean
  actor: Actor
  /** True: places far from the festival are meant. */
  far: boolean
  /** How long to wait for a running import; default a minute. */
  waitMs?: number
}

/** What a reader makes of a file. */
interface ReadList {
  source: string
  /** Number of rows. */
  read: number
}

/** The import of one kind of list. */
export interface ListImport<File extends ReadList> {
  /** As in the log. */
  operation: string
  /** As `npm run import` calls it. */
  command: string
  kind: Reach['kind']
  /** The module with the reader, for `readInThread`. */
  reader: URL
  importWithin(trx: Sql, file: File, options: ListOptions): Promise<ListOutcome>
  /** How many people saved any of these rows. */
  countSavers(trx: Sql, ids: string[]): Promise<number>
}

interface ListRoom {
  db: Database
  clock: Clock
  texts: Texts
  /** Reports a fault of the program. */
  complain: Complain
}

interface ListBody {
  dry_run: boolean
  confirmed?: number | undefined
  source?: string | undefined
  far: boolean
}

/**
 * Imports the file of a request, or with `dry_run` reports what it would change, in the language of the request.
 * @throws `list_unreadable`, `too_far_away`, `unconfirmed`, `import_busy`, `key_used`
 */
export async function importList<File extends ReadList>(
  room: ListRoom,
  asking: RequestContext,
  body: ListBody,
  received: ReceivedFile | undefined,
  list: ListImport<File>,
): Promise<ListReport> {
  const speak = speaker(room.texts, asking.locale)
  const unreadable = (text: ImportText) => new Refusal(listUnreadable, { values: { why: speak(text) } })
  // an empty file counts as absent
  if (!received) throw unreadable(importText('fileEmpty'))
  const file = await readFile(room, received, body.source?.trim() || undefined, list).catch((error: unknown) => {
    throw error instanceof UnreadableFile
      ? unreadable(error.text ?? importText('plain', { text: error.message }))
      : error
  })
  if (file.read > listMostRows)
    throw unreadable(importText('fileManyRowsForScreen', { max: listMostRows, command: list.command }))
  const options = { dryRun: body.dry_run, far: body.far, waitMs: requestWaitsMs }
  const answerOf = async (trx: Sql, { counts, remarks, far, entryId, changedIds }: ListOutcome) => ({
    entry_id: entryId,
    source: file.source,
    counts,
    far,
    reach: {
      kind: list.kind,
      hidden: 0,
      shown: 0,
      changed: changedIds.length,
      people: await list.countSavers(trx, changedIds),
    },
    remarks: remarksOfAnswer(remarks, speak),
  })
  try {
    // a dry run writes nothing, so it needs no idempotency key
    if (body.dry_run)
      return await room.db
        .transaction()
        .execute(async (trx) => answerOf(trx, await list.importWithin(trx, file, { ...options, actor: command })))
    const input = { source: file.source, file: createHash('sha256').update(received.bytes).digest('hex') }
    return await once(room, asking, { operation: list.operation, input }, async (trx, actor) => {
      const answer = await answerOf(trx, await list.importWithin(trx, file, { ...options, actor }))
      expectConfirmed(answer.reach, body.confirmed)
      return answer
    })
  } catch (error) {
    if (error instanceof TooFarAway) throw new Refusal(tooFarAway, { values: { ...error.far } })
    return refuseBusy(error)
  }
}

async function readFile<File extends ReadList>(
  { complain }: ListRoom,
  { bytes, name }: ReceivedFile,
  source: string | undefined,
  { reader }: ListImport<File>,
): Promise<File> {
  try {
    return await readInThread<unknown, File>(reader, { bytes, options: { source, fileName: name || 'file' } })
  } catch (error) {
    // a fault of the reader, not of the file
    if (error instanceof UnreadableFile && error.cause) complain('A file of a list broke its reader.', error.cause)
    throw error
  }
}
