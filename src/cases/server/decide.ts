import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { RequestContext } from '../../kit/server/serve-endpoint.ts'
import type { Reach } from '../../staff/contract.ts'
import { act, type NewAuditEntry } from '../../staff/server/staff.ts'
import type { CaseRoom } from './room.ts'
import { settleAppeals } from './settle-appeals.ts'

// Staff decide about posts, topics and members of the forum, deals, ratings and businesses: some were reported, some wait for
// approval, some staff find themselves. Each decision is one audit entry. The person concerned may appeal once; staff uphold or
// overturn the decision. An undo restores the state before.

/** The fields of a thing that decisions change, as JSON in the log. */
export type LoggedFields = Record<string, unknown>

/** A thing that staff decide about, locked until the transaction ends. */
export interface ModeratedThing {
  fields: LoggedFields
  /** Restores the fields `before` of an entry. @param after what that entry had made of them */
  putBack: (before: LoggedFields, after: LoggedFields, now: Date) => Promise<Reach | void>
}

/**
 * Runs a decision once per `Idempotency-Key`, with its audit entry, and closes appeals that it ends. The names in `request.input`
 * are part of a stored hash: renaming one refuses retries across an update.
 */
export function decide<Answer>(
  room: CaseRoom,
  asking: RequestContext,
  request: { operation: string; input: unknown },
  rule: (trx: Sql, now: Date, entryId: string) => Promise<{ answer: Answer; done: NewAuditEntry }>,
): Promise<Answer> {
  return act(room, asking, request, async (trx, entryId) => {
    const decided = await rule(trx, asDate(room.clock.now()), entryId)
    await settleAppeals(room, trx, decided.done.object, entryId)
    return decided
  })
}

/** Instants stand in the log as ISO text. */
export const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null
