import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'

export interface PerformerRow {
  performer_id: string
  performer_name: string
  /** The event that is on or next, else the last one; null: the performer has none. */
  event: {
    event_id: string
    category: string
    starts_at: string
    ends_at: string | null
    over_at: string
    stage_name: string | null
  } | null
}

/** Performers by id, in order of name. */
export async function findPerformers(db: Sql, performerIds: readonly string[], now: Date): Promise<PerformerRow[]> {
  return query<PerformerRow>(
    db,
    `select p.performer_id, p.performer_name,
      (select json_build_object('event_id', e.event_id, 'category', e.category, 'starts_at', e.starts_at,
          'ends_at', e.ends_at, 'over_at', e.over_at, 'stage_name', s.stage_name)
        from event_performers ep join events e using (event_id) left join stages s using (stage_id)
        where ep.performer_id = p.performer_id and e.state not in ('draft', 'cancelled')
        order by e.over_at <= $now, case when e.over_at > $now then e.starts_at end, e.starts_at desc
        limit 1) as event
    from performers p where p.performer_id = any($performerIds::uuid[]) order by lower(p.performer_name), p.performer_id`,
    { now, performerIds: [...performerIds] },
  )
}
