import { sql } from 'kysely'
import type { Sql } from '../../kit/server/database.ts'
import { query } from '../../kit/server/statement.ts'
import type { ReportCase } from '../contract.ts'

export type CaseState = ReportCase['state']

export interface CaseRow {
  case_id: string
  kind: 'deal' | 'rating'
  subject_id: string
  business_id: string
  state: CaseState
  reports: number
  first_at: string
  last_at: string
  reason: string | null
  decided_at: string | null
  told_hidden: boolean
}

const columns = `c.case_id, c.kind, c.subject_id, c.business_id, c.state, c.reports, c.first_at, c.last_at, c.reason,
  c.decided_at, c.told_hidden`

export interface NewReport {
  kind: 'deal' | 'rating'
  subjectId: string
  businessId: string
  accountId: string
  why: string | null
  note: string | null
  at: Date
  /** When what is reported was written or last changed. */
  writtenAt: Date
}

/**
 * A report of the case, opened where there is none. What was left as it is, is looked at again; what is hidden stays so.
 * Who has reported it reports it anew only where it was changed after it was left as it is, and still counts once.
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
  page: {
    isOpen: boolean
    /** Of open ones. */
    isOldestFirst: boolean
    after: { at: string; id: string } | null
    offset: number
    limit: number
  },
): Promise<CaseRow[]> {
  if (page.isOldestFirst)
    return query<CaseRow>(
      db,
      `select ${columns} from report_cases c
      where c.state = 'open' and ($at::timestamptz is null or (c.first_at, c.case_id) > ($at::timestamptz, $id::uuid))
      order by c.first_at, c.case_id offset $offset limit $limit`,
      { at: page.after?.at ?? null, id: page.after?.id ?? null, offset: page.offset, limit: page.limit },
    )
  return query<CaseRow>(
    db,
    `select ${columns} from report_cases c
    where (c.state = 'open') = $isOpen
      and ($at::timestamptz is null or (c.last_at, c.case_id) < ($at::timestamptz, $id::uuid))
    order by c.last_at desc, c.case_id desc offset $offset limit $limit`,
    {
      isOpen: page.isOpen,
      at: page.after?.at ?? null,
      id: page.after?.id ?? null,
      offset: page.offset,
      limit: page.limit,
    },
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

/** Why it was reported, and in which words, the last ones first. */
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

/** The reason of each of these deals that staff have hidden. */
export async function hiddenDealReasons(db: Sql, dealIds: string[]): Promise<Map<string, string>> {
  const rows = await query<{ subject_id: string; reason: string }>(
    db,
    `select subject_id, reason from report_cases
    where kind = 'deal' and state = 'hidden' and reason is not null and subject_id = any($dealIds::uuid[])`,
    { dealIds },
  )
  return new Map(rows.map(({ subject_id, reason }) => [subject_id, reason]))
}

/** Nobody else decides it until the end of the transaction. */
export async function lockCase(trx: Sql, caseId: string): Promise<CaseRow | undefined> {
  const rows = await query<CaseRow>(
    trx,
    `select ${columns} from report_cases c where c.case_id = $caseId::uuid for no key update`,
    { caseId },
  )
  return rows[0]
}

export async function findCase(db: Sql, caseId: string): Promise<CaseRow | undefined> {
  const rows = await query<CaseRow>(db, `select ${columns} from report_cases c where c.case_id = $caseId::uuid`, {
    caseId,
  })
  return rows[0]
}

export async function setState(
  trx: Sql,
  caseId: string,
  { state, reason, at }: { state: CaseState; reason: string | null; at: Date },
): Promise<void> {
  await sql`
    update report_cases set state = ${state}, reason = ${reason}, decided_at = ${state === 'open' ? null : at}
    where case_id = ${caseId}`.execute(trx)
}

/** With what was said of it. One that is hidden stays, or it would come back by being written anew. */
export async function deleteCaseOf(trx: Sql, kind: 'deal' | 'rating', subjectId: string): Promise<void> {
  await sql`
    delete from report_cases where kind = ${kind} and subject_id = ${subjectId} and state <> 'hidden'`.execute(trx)
}

export async function setTold(trx: Sql, caseId: string, hidden: boolean): Promise<void> {
  await sql`update report_cases set told_hidden = ${hidden} where case_id = ${caseId}`.execute(trx)
}

/** What a person has reported. */
export async function reportsBy(db: Sql, accountId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select c.kind, c.subject_id, r.why, r.note, r.created_at
    from reports r join report_cases c using (case_id) where r.account_id = ${accountId}
    order by r.created_at limit 10000`.execute(db)
  return rows
}

/**
 * What staff decided about deals and ratings of a business. Open cases are not shown, nor those that are open again: they say no
 * more than that somebody reported.
 */
export async function decisionsOn(db: Sql, businessId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select kind, subject_id, state, reason, decided_at from report_cases
    where business_id = ${businessId} and decided_at is not null and state <> 'open'
    order by decided_at limit 10000`.execute(db)
  return rows
}

/** Cases of a business, whatever became of them. */
export async function caseIdsOf(db: Sql, businessId: string, kind: 'deal' | 'rating'): Promise<string[]> {
  const { rows } = await sql<{ case_id: string }>`
    select case_id from report_cases where business_id = ${businessId} and kind = ${kind}`.execute(db)
  return rows.map(({ case_id }) => case_id)
}

export async function deleteReportsBy(trx: Sql, accountId: string): Promise<void> {
  await sql`delete from reports where account_id = ${accountId}`.execute(trx)
}
