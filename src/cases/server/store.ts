import { sql, type Insertable } from 'kysely'
import type { DB } from '../../database-types.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { Stretch } from '../../kit/server/page.ts'
import { query } from '../../kit/server/statement.ts'
import type { RatingReport } from '../../ratings/server/ratings.ts'
import type { ReportCase } from '../contract.ts'

export type CaseState = ReportCase['state']

type AnsweredColumn =
  'case_id' | 'kind' | 'business_id' | 'state' | 'reports' | 'first_at' | 'last_at' | 'reason' | 'decided_at'
export interface CaseRow extends Pick<ReportCase, AnsweredColumn> {
  subject_id: string
  told_hidden: boolean
}

const columns = `c.case_id, c.kind, c.subject_id, c.business_id, c.state, c.reports, c.first_at, c.last_at, c.reason,
  c.decided_at, c.told_hidden`

/** `writtenAt`: when the deal or rating was created or last changed. */
export interface NewReport extends Omit<RatingReport, 'ratingId'> {
  kind: 'deal' | 'rating'
  subjectId: string
}

/**
 * Adds a report, and a case if there is none. A report opens a dismissed case again; a hidden case stays hidden. Each account counts
 * once per case: its second report changes nothing, unless the deal or rating was changed after the case was dismissed.
 */
export async function addReport(trx: Sql, caseId: string, report: NewReport): Promise<void> {
  const { kind, subjectId, businessId, accountId, why, note, at, writtenAt } = report
  await sql`
    insert into report_cases (case_id, kind, subject_id, business_id, first_at, last_at)
    values (${caseId}, ${kind}, ${subjectId}, ${businessId}, ${at}, ${at}) on conflict do nothing`.execute(trx)
  await sql`
    with added as (
      insert into reports as before (case_id, account_id, why, note, created_at)
      select case_id, ${accountId}::uuid, ${why}, ${note}, ${at} from report_cases
      where kind = ${kind} and subject_id = ${subjectId}::uuid
      on conflict (case_id, account_id) do update
        set why = excluded.why, note = excluded.note, created_at = excluded.created_at
        where exists (
          select from report_cases decided
          where decided.case_id = before.case_id and decided.state = 'dismissed'
            and decided.decided_at < ${writtenAt}::timestamptz
        )
      returning case_id, xmax = 0 as is_first
    )
    update report_cases c set reports = c.reports + added.is_first::int, last_at = ${at},
      state = case when c.state = 'dismissed' then 'open' else c.state end
    from added where c.case_id = added.case_id`.execute(trx)
}

export async function listCases(
  db: Sql,
  { isOpen, isOldestFirst }: { isOpen: boolean; isOldestFirst: boolean },
  { after, offset, limit }: Stretch,
): Promise<CaseRow[]> {
  const stretch = { at: after?.at ?? null, id: after?.id ?? null, offset, limit }
  if (isOldestFirst)
    return query<CaseRow>(
      db,
      `select ${columns} from report_cases c
      where c.state = 'open' and ($at::timestamptz is null or (c.first_at, c.case_id) > ($at::timestamptz, $id::uuid))
      order by c.first_at, c.case_id offset $offset limit $limit`,
      stretch,
    )
  return query<CaseRow>(
    db,
    `select ${columns} from report_cases c
    where (c.state = 'open') = $isOpen
      and ($at::timestamptz is null or (c.last_at, c.case_id) < ($at::timestamptz, $id::uuid))
    order by c.last_at desc, c.case_id desc offset $offset limit $limit`,
    { ...stretch, isOpen },
  )
}

export async function countCases(db: Sql, isOpen: boolean, cap: number): Promise<number> {
  const rows = await query<{ count: number }>(
    db,
    `select count(*) from (select from report_cases where (state = 'open') = $isOpen limit $cap) counted`,
    { isOpen, cap },
  )
  return rows[0]!.count
}

/** Reasons and notes that people gave when they reported, newest first. */
export async function reportsOfCases(
  db: Sql,
  caseIds: string[],
  limit: number,
): Promise<{ case_id: string; why: string | null; note: string | null }[]> {
  return query(
    db,
    `select case_id, why, note from reports where case_id = any($caseIds::uuid[])
    order by created_at desc limit $limit`,
    { caseIds, limit },
  )
}

/** Staff's reason for each of these deals that is hidden, by deal id. */
export async function hiddenDealReasons(db: Sql, dealIds: string[]): Promise<Map<string, string>> {
  const rows = await query<{ subject_id: string; reason: string }>(
    db,
    `select subject_id, reason from report_cases
    where kind = 'deal' and state = 'hidden' and reason is not null and subject_id = any($dealIds::uuid[])`,
    { dealIds },
  )
  return new Map(rows.map(({ subject_id, reason }) => [subject_id, reason]))
}

/** Locks the case until the end of the transaction. */
export async function lockCase(trx: Sql, caseId: string): Promise<CaseRow | undefined> {
  const rows = await query<CaseRow>(
    trx,
    `select ${columns} from report_cases c where c.case_id = $caseId::uuid for no key update`,
    { caseId },
  )
  return rows[0]
}

export async function storeCaseState(
  trx: Sql,
  caseId: string,
  { state, reason, at }: { state: CaseState; reason: string | null; at: Date },
): Promise<void> {
  await sql`
    update report_cases set state = ${state}, reason = ${reason}, decided_at = ${state === 'open' ? null : at}
    where case_id = ${caseId}`.execute(trx)
}

/** Deletes a case with its reports. A hidden case stays: else an author could bring the rating back by writing it again. */
export async function deleteCaseOf(trx: Sql, kind: 'deal' | 'rating', subjectId: string): Promise<void> {
  await sql`
    delete from report_cases where kind = ${kind} and subject_id = ${subjectId} and state <> 'hidden'`.execute(trx)
}

/** Stores whether the last notice to the owner said "hidden" (true) or "restored". */
export async function markNoticed(trx: Sql, caseId: string, hidden: boolean): Promise<void> {
  await sql`update report_cases set told_hidden = ${hidden} where case_id = ${caseId}`.execute(trx)
}

/** Reports by an account, for its export. */
export async function reportsBy(db: Sql, accountId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select c.kind, c.subject_id, r.why, r.note, r.created_at
    from reports r join report_cases c using (case_id) where r.account_id = ${accountId}
    order by r.created_at limit 10000`.execute(db)
  return rows
}

/**
 * Decisions about deals and ratings of a business, for its export. Open cases are left out, also reopened ones: they hold no
 * decision, only that somebody reported.
 */
export async function decisionsOn(db: Sql, businessId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select kind, subject_id, state, reason, decided_at from report_cases
    where business_id = ${businessId} and decided_at is not null and state <> 'open'
    order by decided_at limit 10000`.execute(db)
  return rows
}

/** Ids of all cases of a business, in any state. */
export async function caseIdsOf(db: Sql, businessId: string, kind: 'deal' | 'rating'): Promise<string[]> {
  const { rows } = await sql<{ case_id: string }>`
    select case_id from report_cases where business_id = ${businessId} and kind = ${kind}`.execute(db)
  return rows.map(({ case_id }) => case_id)
}

export async function deleteReportsBy(trx: Sql, accountId: string): Promise<void> {
  await sql`delete from reports where account_id = ${accountId}`.execute(trx)
}

export type AppealDecision = 'upheld' | 'overturned' | 'closed'

export interface AppealRow {
  /** The audit entry of the decision that is appealed. */
  entry_id: string
  what: string
  member_id: string
  post_id: string | null
  appeal: string | null
  appealed_at: string
  decision: AppealDecision | null
  decided_at: string | null
  /** The audit entry that settled it; null: none did. */
  decided_by: string | null
}

const appealColumns = 'entry_id, what, member_id, post_id, appeal, appealed_at, decision, decided_at, decided_by'

/** @returns false: there is an appeal against this decision already */
export async function insertAppeal(trx: Sql, appeal: Insertable<DB['appeals']> & { appeal: string }): Promise<boolean> {
  const inserted = await trx
    .insertInto('appeals')
    .values(appeal)
    .onConflict((there) => there.doNothing())
    .returning('entry_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Oldest first. */
export const openAppeals = (db: Sql, limit: number): Promise<AppealRow[]> =>
  query<AppealRow>(
    db,
    `select ${appealColumns} from appeals where decision is null order by appealed_at, entry_id limit $limit`,
    { limit },
  )

/** An object of the audit log. Only posts and members can have appeals. */
export interface About {
  kind: string
  id: string | null
}
const isAbout =
  "(post_id = $id::uuid and $kind = 'post' or post_id is null and member_id = $id::uuid and $kind = 'member')"

export const openAppealsAbout = async (db: Sql, { kind, id }: About): Promise<AppealRow[]> =>
  kind === 'post' || kind === 'member'
    ? query<AppealRow>(db, `select ${appealColumns} from appeals where decision is null and ${isAbout}`, { kind, id })
    : []

export async function appealsAgainst(db: Sql, entryIds: string[]): Promise<Map<string, AppealRow>> {
  const rows = await query<AppealRow>(
    db,
    `select ${appealColumns} from appeals where entry_id = any($entryIds::uuid[])`,
    { entryIds },
  )
  return new Map(rows.map((row) => [row.entry_id, row]))
}

/** @returns false: the appeal was decided before */
export async function settleAppeal(
  trx: Sql,
  entryId: string,
  settled: { decision: AppealDecision; decided_at: Date; decided_by: string | null },
): Promise<boolean> {
  const row = await trx
    .updateTable('appeals')
    .set(settled)
    .where('entry_id', '=', entryId)
    .where('decision', 'is', null)
    .returning('entry_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Reopens the appeals that the audit entry `decidedBy` decided, except those of deleted accounts. @returns their entry ids */
export async function reopenAppeals(trx: Sql, { kind, id }: About, decidedBy: string): Promise<string[]> {
  if (kind !== 'post' && kind !== 'member') return []
  const rows = await query<{ entry_id: string }>(
    trx,
    `update appeals set decision = null, decided_at = null, decided_by = null
    where decided_by = $decidedBy::uuid and appeal is not null and ${isAbout} returning entry_id`,
    { decidedBy, kind, id },
  )
  return rows.map(({ entry_id }) => entry_id)
}

/** Deletes open appeals of a member, and the texts of decided ones. */
export async function forgetAppeals(trx: Sql, memberId: string): Promise<void> {
  await sql`delete from appeals where member_id = ${memberId} and decision is null`.execute(trx)
  await sql`update appeals set appeal = null where member_id = ${memberId}`.execute(trx)
}
