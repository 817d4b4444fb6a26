import type { PersonalData } from '../../accounts/server/accounts.ts'
import { findMember, moderatedOf } from '../../forum/server/forum.ts'
import type { Sql } from '../../kit/server/database.ts'
import { entriesAbout, forgetNameOf } from '../../staff/server/staff.ts'
import * as store from './store.ts'

/**
 * Exports what a person reported and what staff decided about them, their posts and their business. A deletion removes their
 * reports, which each case still counts, their appeal texts, and their name in the log. The decisions stay.
 */
export const casePersonalData: PersonalData = {
  exportOf: async (db, { accountId, businessId }) => ({
    reports: await store.reportsBy(db, accountId),
    report_cases: businessId ? await store.decisionsOn(db, businessId) : [],
    forum_moderation: await decisionsInForum(db, accountId),
  }),
  hasContent: async () => false,
  async forget(trx, { accountId, businessId }) {
    await store.deleteReportsBy(trx, accountId)
    const member = await findMember(trx, accountId)
    if (member) {
      await forgetNameOf(trx, 'member', [member.member_id])
      await store.forgetAppeals(trx, member.member_id)
    }
    if (!businessId) return
    await forgetNameOf(trx, 'business', [businessId])
    for (const kind of ['deal', 'rating'] as const)
      await forgetNameOf(trx, kind, await store.caseIdsOf(trx, businessId, kind))
  },
}

/** Decisions about a member and their posts and topics, with their appeals. */
async function decisionsInForum(db: Sql, accountId: string): Promise<Record<string, unknown>[]> {
  const entries = await entriesAbout(db, await moderatedOf(db, accountId))
  const entryIds = entries.map(({ entry_id }) => entry_id)
  const appeals = await store.appealsAgainst(db, entryIds)
  return entries.map(({ entry_id, at, object_kind, object_id, object_name, after, reason }) => {
    const appeal = appeals.get(entry_id)
    return {
      at,
      action: after?.['what'] ?? null,
      topic_id: object_kind === 'topic' ? object_id : null,
      post_id: object_kind === 'post' ? object_id : null,
      object: object_name,
      reason,
      appeal: appeal?.appeal ?? null,
      appealed_at: appeal?.appealed_at ?? null,
      appeal_decision: appeal?.decision ?? null,
      appeal_decided_at: appeal?.decided_at ?? null,
    }
  })
}
