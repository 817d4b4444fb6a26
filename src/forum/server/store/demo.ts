import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

/** Makes posts that came without one found by their words. */
export async function fillDocs(trx: Sql): Promise<void> {
  await sql`
    update forum_posts p set doc =
      setweight(to_tsvector('simple', search_fold(case when p.post_number = 1 then t.title else '' end)), 'A')
      || setweight(to_tsvector('simple', search_fold(p.body)), 'D')
    from forum_topics t where t.topic_id = p.topic_id and p.doc = ''`.execute(trx)
}
