import { z } from 'zod'
import { answerId, answerInstant, answerList, answerName, answerText } from '../kit/shared/answer.ts'
import { endpoint } from '../kit/shared/endpoint.ts'
import { bodyNumber, pageQuery, pathId, queryBoolean, queryText } from '../kit/shared/input.ts'
import { invalidInput, tooLarge, type RefusalKind } from '../kit/shared/refusal.ts'

export const staffAlone = { roles: ['moderator', 'admin'] } as const

/** An earlier request with this `Idempotency-Key` had another content. */
export const keyUsed = { code: 'key_used', status: 409 } as const satisfies RefusalKind
export const entryNotFound = { code: 'entry_not_found', status: 404 } as const satisfies RefusalKind
export const alreadyUndone = { code: 'already_undone', status: 409 } as const satisfies RefusalKind
export const cannotUndo = { code: 'cannot_undo', status: 409 } as const satisfies RefusalKind
/** The thing was changed later. The text names that change, which has to be undone first. */
export const changedLater = { code: 'changed_later', status: 409 } as const satisfies RefusalKind
/** The thing was changed or used later, not by staff, so the log has no entry to name. The text names the thing. */
export const nothingToUndo = { code: 'nothing_to_undo', status: 409 } as const satisfies RefusalKind
/** The action concerns several public things. The text says how many, and `confirmed` must be that number. */
export const unconfirmed = { code: 'unconfirmed', status: 409 } as const satisfies RefusalKind
/** Another import is running. A second one, or an undo, could remove what it has just found. */
export const importBusy = { code: 'import_busy', status: 409 } as const satisfies RefusalKind

/** Counts of open things end here. */
export const openAtMost = 999

export const staffDesk = z
  .object({
    key: answerText(40).meta({ unread: undefined }),
    path: answerText(200).meta({ unread: undefined }),
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
    actor: answerName(200).meta({ description: 'the name at the time; "command" for a command of the operator' }),
    account_id: answerId.nullable(),
    action: answerText(40),
    object_kind: answerText(40),
    object_id: answerText(200).nullable(),
    object_name: answerName(300),
    before: z.record(z.string().max(60), z.unknown()).nullable(),
    after: z.record(z.string().max(60), z.unknown()).nullable(),
    reason: answerText(500).nullable(),
    undoes: answerId.nullable().meta({ description: 'of an undo: the entry that it undid' }),
    undid: z
      .object({
        action: answerText(40).meta({ unread: undefined }),
        at: answerInstant.meta({ unread: undefined }),
      })
      .nullable()
      .meta({ description: 'of an undo: what that entry did, and when' }),
    undone_by: answerId.nullable(),
    is_undone: z.boolean().meta({ description: 'true: undone, and that undo still stands' }),
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

/** How many public things, and how many people, an action of staff concerns. */
export const reach = z
  .object({
    kind: z
      .enum(['event', 'deal', 'business', 'place', 'other'])
      .meta({ unread: 'other', description: 'what is counted; deal: deals and their business' }),
    hidden: z.number().int().meta({ description: 'how many disappear' }),
    shown: z.number().int().meta({ description: 'how many appear, or come back' }),
    changed: z.number().int().meta({ description: 'how many stay, with other content' }),
    people: z.number().int().meta({ description: 'how many people have saved any of them' }),
  })
  .meta({ id: 'Reach' })
export type Reach = z.infer<typeof reach>

/** Input of an action on several public things: a dry run first, then the confirmed number. */
export const confirming = {
  dry_run: queryBoolean().meta({ description: 'true: only answers what would happen' }),
  confirmed: bodyNumber(0, 1_000_000, 'integer').optional().meta({
    description: 'how many public things that is (hidden, shown and changed); needed for more than one',
  }),
}

export const undo = endpoint({
  method: 'POST',
  path: '/api/admin/log/{entry_id}/undo',
  summary: 'Takes an action back, or its undo: the whole version before. Refused where the thing was changed later',
  tag: 'staff',
  params: z.object({ entry_id: pathId }),
  body: z.object(confirming),
  access: staffAlone,
  staff: { action: 'undo', inverse: true },
  idempotent: true,
  answersWithinMs: 60_000,
  answer: z
    .object({
      entry_id: answerId.nullable().meta({ description: 'of the log; null: a dry run' }),
      reach,
      kept: answerList(answerText(300), 200).meta({
        description: 'what was changed since and stays as it is, of an action on many things',
      }),
    })
    .meta({ id: 'Undone' }),
  refusals: [
    invalidInput,
    entryNotFound,
    alreadyUndone,
    cannotUndo,
    changedLater,
    nothingToUndo,
    unconfirmed,
    importBusy,
    keyUsed,
  ],
})

/** The answer with more remarks than these leaves the least important out. */
export const importMostRemarks = 500

/** What an import did, or with `dry_run` would do. Each row of the file is one of new, changed, same and refused. */
export const importReport = z.object({
  entry_id: answerId.nullable().meta({ description: 'of the log; null: nothing was written' }),
  source: answerText(40),
  counts: z.object({
    read: z.number().int(),
    new: z.number().int(),
    changed: z.number().int(),
    same: z.number().int(),
    refused: z.number().int(),
  }),
  reach: reach.meta({ description: 'of the known things; new ones concern nobody yet' }),
  remarks: answerList(
    z.object({
      kind: z.enum(['refused', 'note', 'changed', 'new', 'missing']).meta({ unread: 'note' }),
      place: answerText(200),
      title: answerText(300),
      text: answerText(500).meta({ unread: undefined }),
    }),
    importMostRemarks,
  ).meta({
    description: 'of more than 500 those that ask for a decision; the last one says how many are not shown',
  }),
})

/** Rows of a list that lie farther from the festival than this are asked about. */
export const farKm = 50

/** Places lie farther than `farKm` from the festival. The text says how many and how far; `far` must be true to import them. */
export const tooFarAway = { code: 'too_far_away', status: 409 } as const satisfies RefusalKind
/** The file cannot be read. The text says why, and what to do. */
export const listUnreadable = { code: 'list_unreadable', status: 422 } as const satisfies RefusalKind

export const farAway = z
  .object({
    n: z
      .number()
      .int()
      .meta({ description: `places farther than ${farKm} km from the festival` }),
    of: z.number().int().meta({ description: 'places with a position' }),
    km: z.number().int().meta({ description: 'how far the far ones lie, the one in the middle' }),
  })
  .meta({ id: 'FarAway' })
export type FarAway = z.infer<typeof farAway>

/** A file of a list larger than this needs the command. */
export const listMaxBytes = 8 * 2 ** 20
/** A list with more rows takes too long for a request: it needs the command. */
export const listMostRows = 5000

/** Input of an import of a list of places. */
export const importingList = {
  ...confirming,
  source: queryText(40).meta({ description: 'name of the list; ids are unique within it' }),
  far: queryBoolean().meta({ description: `true: places farther than ${farKm} km are meant` }),
}
/** What an import of a list of places did. */
export const listReport = z
  .object({ ...importReport.shape, far: farAway.nullable().meta({ description: 'null: all lie near the festival' }) })
  .meta({ id: 'ListImportReport' })
export type ListReport = z.infer<typeof listReport>
/** How the import of a list is refused. */
export const importRefusals = [
  invalidInput,
  listUnreadable,
  tooFarAway,
  unconfirmed,
  importBusy,
  tooLarge,
  keyUsed,
] as const
