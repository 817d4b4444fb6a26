import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { Asking } from '../../kit/server/serve-endpoint.ts'
import type { Reach } from '../../staff/contract.ts'
import { act, type NewAuditEntry } from '../../staff/server/staff.ts'
import type { CaseRoom } from './room.ts'
import { settleAppeals } from './settle-appeals.ts'

// A case is something that people reported, that waits for approval, or that staff find themselves: a post, a topic or a member of
// the forum, a deal, a rating, a business. Staff decide, each time with one entry of the log; who is concerned may appeal once;
// staff uphold the decision or overturn it; and an undo puts back how the thing stood before.

/** Fields of a thing that decisions change, as the log has them: JSON. */
export type Standing = Record<string, unknown>

/** A thing that is decided about, locked until the transaction ends. */
export interface Case {
  standing: Standing
  /** It stands again as before the entry that made `after` of it. */
  putBack: (before: Standing, after: Standing, now: Date) => Promise<Reach | void>
}

/** One decision, once for each `Idempotency-Key`: the work, its entry of the log, and what it means for appeals. */
export function decide<Answer>(
  room: CaseRoom,
  asking: Asking,
  request: { operation: string; input: unknown },
  rule: (trx: Sql, now: Date, entryId: string) => Promise<{ answer: Answer; done: NewAuditEntry }>,
): Promise<Answer> {
  return act(room, asking, request, async (trx, entryId) => {
    const decided = await rule(trx, asDate(room.clock.now()), entryId)
    await settleAppeals(room, trx, decided.done.object, entryId)
    return decided
  })
}

/** An instant of a column, as the log has it. */
export const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null
