import { createHash } from 'node:crypto'
import { staffAccountIds } from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import { cursorOf, writeCursor } from '../../kit/server/cursor.ts'
import type { Sql } from '../../kit/server/database.ts'
import { importText, speaker, type ImportText, type Speaker } from '../../kit/server/import-text.ts'
import { NotFetched } from '../../kit/server/outside.ts'
import { Page, totalUpTo, type PageQuery } from '../../kit/server/page.ts'
import type { RequestContext } from '../../kit/server/serve-endpoint.ts'
import { UnreadableFile } from '../../kit/server/unreadable-file.ts'
import type { AnswerBody, CheckedInput } from '../../kit/shared/endpoint.ts'
import { defaultPageSize, totalCap } from '../../kit/shared/input.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { page } from '../../site-map.ts'
import { importBusy } from '../../staff/contract.ts'
import { act, command, once, type Actor } from '../../staff/server/staff.ts'
import {
  addressMaxBytes,
  addressTimeoutMs,
  sourceNotFound,
  type ProgrammeSource,
  type putProgrammeSource as putEndpoint,
  type readProgrammeSource as readEndpoint,
} from '../contract.ts'
import { mostMinutes } from '../limits.ts'
import { needsConsent } from '../policy.ts'
import type { CheckedSchedule } from './import/check-schedule.ts'
import {
  importWithin,
  lockImports,
  requestWaitsMs,
  ScheduleImportBusy,
  type ImportEffect,
  type ScheduleReport,
} from './import-schedule.ts'
import { readProgramme, refusalOf, reportAnswer } from './importing.ts'
import type { EventRoom } from './programme.ts'
import * as store from './store.ts'

/*
 * A programme that is read from an address:
 * 1. Staff give the address (`putProgrammeSource`). The first content waits for a yes.
 * 2. `readDueSources` reads it again. A small change is applied, a large one waits (`needsConsent`) and staff are notified.
 * 3. `applyProgrammeSource` applies what waits.
 */

/** Type of the notification to staff about a change that waits. */
export const programmeWaits = 'programme_waits'

/** Sources that one run of the job reads. */
const readAtOnce = 5

type ReadAnswer = AnswerBody<typeof readEndpoint>

/** Programmes with an address, by name. */
export async function listProgrammeSources(
  room: EventRoom,
  asking: RequestContext,
  query: PageQuery,
): Promise<Page<ProgrammeSource>> {
  const limit = query.limit ?? defaultPageSize
  const [after] = cursorOf(query.after, ['text']) ?? ['']
  const rows = await store.listSources(room.db, { after, offset: query.offset ?? 0, limit: limit + 1 })
  const counted = await store.countSources(room.db, totalCap + 1)
  const shown = rows.slice(0, limit)
  const next = rows.length > limit ? writeCursor([shown.at(-1)!.source]) : null
  const speak = speaker(room.texts, asking.locale)
  return new Page(
    shown.map((row) => sourceAnswer(row, speak)),
    totalUpTo(counted),
    next,
  )
}

function sourceAnswer(row: store.AddressRow, speak: Speaker): ProgrammeSource {
  const iso = (at: Date | null) => at?.toISOString() ?? null
  return {
    source: row.source,
    address: row.address,
    every_minutes: row.every_minutes,
    read_at: iso(row.read_at),
    good_at: iso(row.good_at),
    next_read_at: row.next_read_at.toISOString(),
    counts: row.counts,
    problem: row.problem && speak(row.problem).slice(0, 500),
    waiting: row.waiting,
  }
}

/**
 * Sets the address of a programme and reads it; nothing is imported before a yes. An address that cannot be read is not stored.
 * @throws `schedule_unreadable`, `import_busy`, `key_used`
 */
export async function putProgrammeSource(
  room: EventRoom,
  asking: RequestContext,
  name: string,
  body: CheckedInput<typeof putEndpoint>['body'],
): Promise<ReadAnswer> {
  const source = name.trim()
  const wanted = { source, address: body.address.trim(), every_minutes: body.every_minutes }
  const speak = speaker(room.texts, asking.locale)
  return refusing(speak, async () => {
    const bytes = await bytesOf(room, wanted.address)
    const choice = await store.findSourceChoice(room.db, source)
    const content = await contentOf(room, bytes, source, choice)
    return act(room, asking, { operation: 'edit-source', input: wanted }, async (trx) => {
      const before = await store.lockSource(trx, source)
      await store.writeAddress(trx, { ...wanted, next_read_at: asDate(room.clock.now()) })
      const result = await settle(trx, room, wanted, content, { actor: command, mayApply: () => false })
      const logged = ({ address, every_minutes }: typeof wanted) => ({ address, every_minutes })
      return {
        answer: await readAnswer(room, trx, result!, speak),
        done: {
          action: 'edit-source',
          object: { kind: 'source', id: null, name: source },
          before: before && logged(before),
          after: logged(wanted),
        },
      }
    })
  })
}

/** Stops reading the address; the events stay. @throws `source_not_found`, `key_used` */
export async function deleteProgrammeSource(room: EventRoom, asking: RequestContext, name: string): Promise<null> {
  const source = name.trim()
  return act(room, asking, { operation: 'edit-source', input: { source } }, async (trx) => {
    const before = await store.lockSource(trx, source)
    if (!before) throw new Refusal(sourceNotFound)
    await store.removeAddress(trx, source)
    return {
      answer: null,
      done: {
        action: 'edit-source',
        object: { kind: 'source', id: null, name: source },
        before: { address: before.address, every_minutes: before.every_minutes },
        after: { address: null, every_minutes: null },
      },
    }
  })
}

/** Reads a programme now, as the job does. @throws `source_not_found`, `schedule_unreadable`, `import_busy` */
export async function readProgrammeSource(room: EventRoom, asking: RequestContext, name: string): Promise<ReadAnswer> {
  const speak = speaker(room.texts, asking.locale)
  const row = await sourceNamed(room, name)
  return refusing(speak, async () => {
    const result = await noting(room, row, () => readRegularly(room, row))
    if (!result) throw new Refusal(sourceNotFound)
    return readAnswer(room, room.db, result, speak)
  })
}

/**
 * Applies the content with this hash. If the address gives another one by now, that one waits and is answered.
 * @throws `source_not_found`, `schedule_unreadable`, `import_busy`, `key_used`
 */
export async function applyProgrammeSource(
  room: EventRoom,
  asking: RequestContext,
  name: string,
  hash: string,
): Promise<ReadAnswer> {
  const speak = speaker(room.texts, asking.locale)
  const row = await sourceNamed(room, name)
  return refusing(speak, () =>
    noting(room, row, async () => {
      const content = await contentOf(room, await bytesOf(room, row.address), row.source, row)
      const request = { operation: 'import-events', input: { source: row.source, hash } }
      return once(room, asking, request, async (trx, actor) => {
        const mayApply = () => content.hash === hash
        const result = await settle(trx, room, row, content, { actor, mayApply })
        if (!result) throw new Refusal(sourceNotFound)
        return readAnswer(room, trx, result, speak)
      })
    }),
  )
}

/**
 * Reads the sources that are due, one after the other. Run every minute, by any instance.
 * @throws the faults of this site, for the log, after the other sources have been read
 */
export async function readDueSources(room: EventRoom): Promise<void> {
  const faults: unknown[] = []
  for (let read = 0; read < readAtOnce; read++) {
    const row = await store.claimDueSource(room.db, asDate(room.clock.now()))
    if (!row) break
    try {
      await noting(room, row, () => readRegularly(room, row))
    } catch (error) {
      if (error instanceof ScheduleImportBusy)
        await store.postponeRead(room.db, row.source, asDate(room.clock.now().add({ minutes: 1 })))
      else if (!(error instanceof UnreadableFile)) faults.push(error)
    }
  }
  if (faults.length > 0) throw faults.length === 1 ? faults[0] : new AggregateError(faults, 'Faults of several sources')
}

async function sourceNamed(room: EventRoom, name: string): Promise<store.AddressRow> {
  const row = await store.findSource(room.db, name.trim())
  if (!row) throw new Refusal(sourceNotFound)
  return row
}

/** @throws the refusals for `UnreadableFile` and `ScheduleImportBusy` */
async function refusing<Result>(speak: Speaker, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ScheduleImportBusy) throw new Refusal(importBusy, { retryAfterS: 60 })
    throw refusalOf(error, speak)
  }
}

/** Stores why the programme was not read, before it throws the same error. The programme stays as it is. */
async function noting<Result>(room: EventRoom, { source, address }: store.AddressRow, read: () => Promise<Result>) {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ScheduleImportBusy || error instanceof Refusal))
      await room.db.transaction().execute(async (trx) => {
        const row = await store.lockSource(trx, source)
        if (row?.address !== address) return
        const now = room.clock.now()
        const next = now.add({ minutes: Math.min(mostMinutes, row.every_minutes * 2 ** (row.failures + 1)) })
        await store.writeRead(trx, {
          ...row,
          read_at: asDate(now),
          next_read_at: asDate(next),
          problem: problemOf(error, next.toZonedDateTimeISO(room.zone)),
          failures: Math.min(row.failures + 1, 10),
        })
      })
    throw error
  }
}

function problemOf(error: unknown, next: Temporal.ZonedDateTime): ImportText {
  if (error instanceof UnreadableFile) return error.text ?? importText('fileBroken')
  return importText('siteFault', { time: next.toPlainTime().toString({ smallestUnit: 'minute' }) })
}

interface ReadResult {
  applied: boolean
  row: store.AddressRow
  /** null: the content was not compared with the programme. */
  report: { file: CheckedSchedule; report: ScheduleReport } | null
}

async function readRegularly(room: EventRoom, row: store.AddressRow): Promise<ReadResult | null> {
  const content = await contentOf(room, await bytesOf(room, row.address), row.source, row)
  return room.db.transaction().execute((trx) =>
    settle(trx, room, row, content, {
      actor: command,
      mayApply: (effect, { content_hash }) => content_hash !== null && !needsConsent(effect),
      notifies: true,
    }),
  )
}

/**
 * Compares what was read with the programme, then applies it or lets it wait, and writes how the read went.
 * @returns null: the source has another address by now, or none
 * @throws `ScheduleImportBusy`
 */
async function settle(
  trx: Sql,
  room: EventRoom,
  { source, address }: Pick<store.AddressRow, 'source' | 'address'>,
  { hash, file }: Content,
  {
    actor,
    mayApply,
    notifies = false,
  }: { actor: Actor; mayApply: (effect: ImportEffect, row: store.AddressRow) => boolean; notifies?: boolean },
): Promise<ReadResult | null> {
  await lockImports(trx, requestWaitsMs)
  const row = await store.lockSource(trx, source)
  if (row?.address !== address) return null
  const now = room.clock.now()
  const finish = async (report: ReadResult['report'], applied: boolean, changed: Partial<store.AddressRow>) => {
    const next_read_at = asDate(now.add({ minutes: row.every_minutes }))
    const written = { ...row, read_at: asDate(now), next_read_at, problem: null, failures: 0, ...changed }
    await store.writeRead(trx, written)
    return { applied, row: written, report }
  }
  const nothingNew = { new: 0, changed: 0, removed: 0 }
  if (hash === row.content_hash)
    return finish(null, false, {
      good_at: asDate(now),
      waiting: null,
      counts: row.counts && { ...row.counts, ...nothingNew },
    })
  const options = { file, fileName: source, source, removesMissing: true, actor, waitMs: requestWaitsMs }
  const planned = await importWithin(trx, room, { ...options, dryRun: true })
  const { read, new: fresh, changed } = planned.counts
  const counts = { read, new: fresh, changed, removed: planned.effect.removed }
  const changesNothing = fresh + planned.edits.length === 0
  if (changesNothing || mayApply(planned.effect, row)) {
    const report = await importWithin(trx, room, { ...options, dryRun: false })
    return finish({ file, report }, !changesNothing, {
      good_at: asDate(now),
      content_hash: hash,
      waiting: null,
      counts,
    })
  }
  const waiting = { hash, ...counts, moved: planned.effect.moved, coming: planned.effect.coming }
  // a first content waits for the person who gave the address
  if (notifies && row.content_hash !== null) await notifyStaff(trx, room, source, waiting)
  return finish({ file, report: planned }, false, { waiting, counts })
}

async function notifyStaff(
  trx: Sql,
  room: EventRoom,
  source: string,
  { hash, removed, moved, coming }: store.WaitingChange,
): Promise<void> {
  await notify(room.notifications, trx, {
    type: programmeWaits,
    accountIds: await staffAccountIds(trx),
    once: `events:${programmeWaits}:${source}:${hash}`,
    values: { source, removed, moved, coming },
    path: page.adminEvents,
  })
}

async function readAnswer(
  room: EventRoom,
  db: Sql,
  { applied, row, report }: ReadResult,
  speak: Speaker,
): Promise<ReadAnswer> {
  const { source } = row
  return {
    applied,
    source: sourceAnswer(row, speak),
    report: report && (await reportAnswer(room, db, { source, fileName: source, ...report }, speak)),
  }
}

interface Content {
  file: CheckedSchedule
  /** Of the events, in hex: some servers write the time of the request into each answer. */
  hash: string
}

/** What the address gives. @throws `UnreadableFile` */
async function bytesOf(room: EventRoom, address: string): Promise<Uint8Array> {
  // plain http works only for servers of tests on this machine
  if (!/^https:/i.test(address) && URL.parse(address)?.hostname !== '127.0.0.1')
    throw unreadable(room, importText('addressNoHttps'))
  try {
    return await room.outside.fetch(address, {
      maxBytes: addressMaxBytes,
      timeoutMs: addressTimeoutMs,
      accept: '*/*',
      userAgent: 'ProgrammeReader/1.0',
      followsOnce: true,
    })
  } catch (error) {
    if (!(error instanceof NotFetched)) throw error
    throw unreadable(room, whyNotFetched(error.message))
  }
}

function whyNotFetched(reason: string): ImportText {
  if (reason.startsWith('status ')) return importText('addressStatus', { n: reason.slice('status '.length) })
  switch (reason) {
    case 'internal':
      return importText('addressInternal')
    case 'unknown':
      return importText('addressUnknown')
    case 'too large':
      return importText('addressTooLarge', { max: addressMaxBytes / 2 ** 20 })
    case 'too slow':
      return importText('addressTooSlow', { max: addressTimeoutMs / 1000 })
    case 'other host':
      return importText('addressElsewhere')
    default:
      return importText('addressUnreachable')
  }
}

/** @throws `UnreadableFile`, also for a table whose columns or order of dates nobody has chosen yet */
async function contentOf(
  room: EventRoom,
  bytes: Uint8Array,
  source: string,
  choice: store.SourceChoice | null,
): Promise<Content> {
  const file = await readProgramme(room, bytes, { name: source, choice, isDry: true })
  if (file.table && (!file.table.is_enough || file.table.unclear_date))
    throw unreadable(room, importText('addressUnclear'))
  const events = [file.accepted.map(({ id, fields }) => [id, fields]), file.refusedIds]
  return { file, hash: createHash('sha256').update(JSON.stringify(events)).digest('hex') }
}

const unreadable = ({ texts }: EventRoom, text: ImportText) => new UnreadableFile(speaker(texts, 'en')(text), text)
