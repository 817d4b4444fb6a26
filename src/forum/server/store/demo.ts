import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'
import type { Piece } from '../../../kit/shared/rich-text.ts'

/** A post as the demo and the lab fill it in. */
export interface DemoPostRow {
  post_id: string
  topic_id: string
  post_number: number
  author_id: string
  created_at: string
  state: 'visible'
  like_count: number
  open_flags: number
  reply_to: number | null
  lang: string
  body: string
  content: Piece[]
  body_hash: string
  doc: string
}

/** Makes posts that came without one found by their words. */
export async function fillDocs(trx: Sql): Promise<void> {
  await sql`
    update forum_posts p set doc =
      setweight(to_tsvector('simple', search_fold(case when p.post_number = 1 then t.title else '' end)), 'A')
      || setweight(to_tsvector('simple', search_fold(p.body)), 'D')
    from forum_topics t where t.topic_id = p.topic_id and p.doc = ''`.execute(trx)
}
