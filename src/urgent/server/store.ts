import type { Sql } from '../../kit/server/database.ts'
import { query } from '../../kit/server/statement.ts'
import type { StaffNotice } from '../contract.ts'

export type NoticeRow = Omit<StaffNotice, 'is_shown'>

const columns = 'notice_id, kind, text_en, text_de, text_fr, created_at, ends_at, ended_at'

export async function listShown(db: Sql, now: Date, limit: number): Promise<NoticeRow[]> {
  return query<NoticeRow>(
    db,
    `select ${columns} from urgent_notices where ends_at > $now::timestamptz and ended_at is null
     order by created_at desc, notice_id desc limit $limit`,
    { now, limit },
  )
}

export async function listNotices(db: Sql, limit: number): Promise<NoticeRow[]> {
  return query<NoticeRow>(
    db,
    `select ${columns} from urgent_notices order by created_at desc, notice_id desc limit $limit`,
    { limit },
  )
}

/** `lock`: nobody can end the notice or show it again until the end of the transaction. */
export async function findNotice(
  db: Sql,
  noticeId: string,
  lock: 'lock' | null = null,
): Promise<NoticeRow | undefined> {
  const rows = await query<NoticeRow>(
    db,
    `select ${columns} from urgent_notices where notice_id = $noticeId::uuid ${lock ? 'for share' : ''}`,
    { noticeId },
  )
  return rows[0]
}

export async function insertNotice(
  trx: Sql,
  notice: Omit<NoticeRow, 'created_at' | 'ends_at' | 'ended_at'> & { created_at: Date; ends_at: Date },
): Promise<NoticeRow> {
  const rows = await query<NoticeRow>(
    trx,
    `insert into urgent_notices (notice_id, kind, text_en, text_de, text_fr, created_at, ends_at)
     values ($notice_id::uuid, $kind, $text_en, $text_de, $text_fr, $created_at::timestamptz, $ends_at::timestamptz)
     returning ${columns}`,
    notice,
  )
  return rows[0]!
}

/** Ends a notice; `endedAt` null shows it again. @returns undefined: the notice is ended, or shown, already */
export async function setEnded(trx: Sql, noticeId: string, endedAt: Date | null): Promise<NoticeRow | undefined> {
  const rows = await query<NoticeRow>(
    trx,
    `update urgent_notices set ended_at = $endedAt::timestamptz
     where notice_id = $noticeId::uuid and (ended_at is null) <> ($endedAt::timestamptz is null) returning ${columns}`,
    { noticeId, endedAt },
  )
  return rows[0]
}
