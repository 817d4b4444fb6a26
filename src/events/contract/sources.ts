import { z } from 'zod'
import { answerInstant, answerList, answerName, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { bodyNumber, line, pageQuery } from '../../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../../kit/shared/refusal.ts'
import { importBusy, importReport, keyUsed, staffAlone } from '../../staff/contract.ts'
import { leastMinutes, mostMinutes } from '../limits.ts'
import { scheduleUnreadable } from './editing.ts'

/** Bytes that an address may give. */
export const addressMaxBytes = 8 * 2 ** 20
/** For the whole answer of an address. */
export const addressTimeoutMs = 5_000

export const sourceNotFound = { code: 'source_not_found', status: 404 } as const satisfies RefusalKind

const count = z.number().int()
const sourceName = line({ min: 1, max: 40 })

export const programmeSource = z
  .object({
    source: answerName(60),
    address: answerText(2000),
    every_minutes: count.meta({ description: `${leastMinutes} to ${mostMinutes}; twice as long after each failure` }),
    read_at: answerInstant.nullable().meta({ description: 'when the address was read, or tried, last' }),
    good_at: answerInstant.nullable().meta({ description: 'when the programme last was what the address gave' }),
    next_read_at: answerInstant,
    counts: z
      .object({ read: count, new: count, changed: count, removed: count })
      .nullable()
      .meta({ description: 'of the content that was read last' }),
    problem: answerText(500)
      .nullable()
      .meta({ description: 'why the last read failed; the programme stays as it was' }),
    waiting: z
      .object({
        hash: answerText(64),
        read: count,
        new: count,
        changed: count,
        removed: count.meta({ description: 'events that would disappear or be cancelled' }),
        moved: count.meta({
          description: 'events that would be on another stage, or start more than 30 minutes apart',
        }),
        coming: count.meta({ description: 'events of the source that are not over yet' }),
      })
      .nullable()
      .meta({ description: 'a change that is applied only after a yes' }),
  })
  .meta({ id: 'ProgrammeSource' })
export type ProgrammeSource = z.infer<typeof programmeSource>

/** What a read of an address did, or would do. */
const sourceRead = z
  .object({
    applied: z
      .boolean()
      .meta({ description: 'false: nothing was written; `source.waiting` says what waits, if anything' }),
    source: programmeSource,
    report: importReport.nullable().meta({ description: 'null: the content is the one that was applied last' }),
  })
  .meta({ id: 'SourceRead' })

const readRefusals = [invalidInput, scheduleUnreadable, importBusy] as const

export const listProgrammeSources = endpoint({
  method: 'GET',
  path: '/api/admin/programme-sources',
  summary: 'Programmes that are read from an address, by name',
  tag: 'events',
  query: z.object(pageQuery),
  access: staffAlone,
  answer: answerList(programmeSource, 100),
  paged: true,
  refusals: [invalidInput],
})

export const putProgrammeSource = endpoint({
  method: 'PUT',
  path: '/api/admin/programme-sources/{source}',
  summary:
    'Reads a programme from an address from now on. The first read waits for a yes and is answered with its report',
  tag: 'events',
  params: z.object({ source: sourceName }),
  body: z.object({
    address: line({ min: 1, max: 2000 }).meta({ description: 'https' }),
    every_minutes: bodyNumber(leastMinutes, mostMinutes, 'integer'),
  }),
  access: staffAlone,
  staff: { action: 'edit-source', inverse: false },
  idempotent: true,
  answersWithinMs: 60_000,
  answer: sourceRead,
  refusals: [...readRefusals, keyUsed],
})

export const deleteProgrammeSource = endpoint({
  method: 'DELETE',
  path: '/api/admin/programme-sources/{source}',
  summary: 'Stops reading the address; the events stay',
  tag: 'events',
  params: z.object({ source: sourceName }),
  access: staffAlone,
  staff: { action: 'edit-source', inverse: false },
  idempotent: true,
  answer: null,
  status: 204,
  refusals: [invalidInput, sourceNotFound, keyUsed],
})

export const readProgrammeSource = endpoint({
  method: 'POST',
  path: '/api/admin/programme-sources/{source}/read',
  summary: 'Reads the address now, like the regular reads: a small change is applied, a large one waits for a yes',
  tag: 'events',
  params: z.object({ source: sourceName }),
  access: staffAlone,
  answersWithinMs: 60_000,
  answer: sourceRead,
  refusals: [...readRefusals, sourceNotFound],
})

export const applyProgrammeSource = endpoint({
  method: 'POST',
  path: '/api/admin/programme-sources/{source}/apply',
  summary:
    'Applies what waits. If the address gives another content by now, nothing is written and its report is answered',
  tag: 'events',
  params: z.object({ source: sourceName }),
  body: z.object({ hash: line({ min: 64, max: 64 }).meta({ description: 'of `waiting`' }) }),
  access: staffAlone,
  staff: { action: 'import-events', inverse: true },
  idempotent: true,
  answersWithinMs: 60_000,
  answer: sourceRead,
  refusals: [...readRefusals, sourceNotFound, keyUsed],
})
