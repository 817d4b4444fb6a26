import { z } from 'zod'
import { answerId, answerInstant, answerList, answerText } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { pageQuery, pathId, queryText } from '../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../kit/shared/refusal.ts'

export const staffAlone = { roles: ['moderator', 'admin'] } as const

/** A request with this key was sent before, with another content. */
export const keyUsed = { code: 'key_used', status: 409 } as const satisfies RefusalKind
export const entryNotFound = { code: 'entry_not_found', status: 404 } as const satisfies RefusalKind
export const alreadyUndone = { code: 'already_undone', status: 409 } as const satisfies RefusalKind
export const cannotUndo = { code: 'cannot_undo', status: 409 } as const satisfies RefusalKind
/** All that the entry did has been changed since; the text names its object. */
export const nothingToUndo = { code: 'nothing_to_undo', status: 409 } as const satisfies RefusalKind
/** Another import is still running: what it finds must not be taken away. */
export const importBusy = { code: 'import_busy', status: 409 } as const satisfies RefusalKind

/** At most so many open things are counted. */
export const openAtMost = 999

export const staffDesk = z
  .object({
    key: answerText(40),
    path: answerText(200),
    open: z
      .number()
      .int()
      .nullable()
      .meta({ description: `at most ${openAtMost}; null: nothing is decided there` }),
  })
  .meta({ id: 'StaffDesk' })
export type StaffDesk = z.infer<typeof staffDesk>

export const listDesks = endpoint({
  method: 'GET',
  path: '/api/admin',
  summary: 'The pages that I may open as staff, and how much is open on each',
  tag: 'staff',
  access: staffAlone,
  answer: answerList(staffDesk, 50),
  refusals: [],
})

export const auditEntry = z
  .object({
    entry_id: answerId,
    at: answerInstant,
    actor: answerText(200).meta({ description: 'the name at the time; "command" for a command of the operator' }),
    account_id: answerId.nullable(),
    action: answerText(40),
    object_kind: answerText(40),
    object_id: answerText(200).nullable(),
    object_name: answerText(300),
    before: z.record(z.string().max(60), z.unknown()).nullable(),
    after: z.record(z.string().max(60), z.unknown()).nullable(),
    reason: answerText(500).nullable(),
    undoes: answerId.nullable().meta({ description: 'of an undo: the entry that it undid' }),
    undid: z
      .object({ action: answerText(40), at: answerInstant })
      .nullable()
      .meta({ description: 'of an undo: what that entry did, and when' }),
    undone_by: answerId.nullable(),
    can_undo: z.boolean(),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof auditEntry>

export const listLog = endpoint({
  method: 'GET',
  path: '/api/admin/log',
  summary: 'What staff did, newest first',
  tag: 'staff',
  query: z.object({
    person: queryText(36).meta({ description: 'id of an account' }),
    action: queryText(40),
    from: queryText(10).meta({ description: 'YYYY-MM-DD' }),
    to: queryText(10).meta({ description: 'YYYY-MM-DD, included' }),
    ...pageQuery,
  }),
  access: staffAlone,
  answer: answerList(auditEntry, 100),
  paged: true,
  refusals: [invalidInput],
})

export const undo = endpoint({
  method: 'POST',
  path: '/api/admin/log/{entry_id}/undo',
  summary: 'Takes an action back: only what is unchanged since, the rest is named',
  tag: 'staff',
  params: z.object({ entry_id: pathId }),
  access: staffAlone,
  staff: { action: 'undo', inverse: false },
  idempotent: true,
  answer: z
    .object({
      entry_id: answerId,
      kept: answerList(answerText(300), 200).meta({ description: 'what was changed since and stays as it is' }),
    })
    .meta({ id: 'Undone' }),
  refusals: [entryNotFound, alreadyUndone, cannotUndo, nothingToUndo, importBusy, keyUsed],
})
