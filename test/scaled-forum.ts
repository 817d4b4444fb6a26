import { sql } from 'kysely'
import type { Sql } from '../src/kit/server/database.ts'
import { fillDocs } from '../src/forum/server/store/demo.ts'

/** Sentences of the lab's posts. All words are frequent; only the number at the end is not. */
const sentences = [
  'The queue at the bridge is shortest before eight.',
  'Wer hat gestern die Laternen am Rhein gesehen?',
  'Le concert de minuit commence près du bac.',
  'Bring a blanket, the steps are cold after ten.',
  'Das Trio spielt heute zweimal, einmal im Zelt.',
  'Quelqu’un a trouvé une écharpe rouge ?',
]

/** Fills the forum with `topics` topics of `posts` posts in all, and a topic with `longTopic` posts, whose id it returns. */
export async function fillScaledForum(
  db: Sql,
  { topics, posts, longTopic }: { topics: number; posts: number; longTopic: number },
): Promise<string> {
  const each = Math.max(1, Math.round(posts / topics))
  await sql`
    insert into forum_members (member_id, handle, display_name, joined_at)
    select gen_random_uuid(), 'member-' || n, 'Member ' || n, now() - interval '30 days'
    from generate_series(1, 500) n`.execute(db)
  await sql`
    insert into forum_topics (topic_id, category, title, tags, lang, author_id, created_at, updated_at, last_number,
      post_count, last_post_at, last_author_id)
    select gen_random_uuid(),
      (array['line-up', 'food-deals', 'getting-around', 'meet-ups', 'lost-found', 'help'])[1 + n % 6],
      'Topic number ' || n || ' about the river', array['tag-' || n % 50], (array['en', 'de', 'fr'])[1 + n % 3],
      m.member_id, at, at, size, size, at, m.member_id
    from (
      select n, case when n = 0 then ${longTopic}::int else ${each}::int end as size, now() - n * interval '3 minutes' as at
      from generate_series(0, ${topics}) n) counted
    join lateral (select member_id from forum_members where handle = 'member-' || 1 + n % 500) m on true`.execute(db)
  await sql`
    insert into forum_posts (post_id, topic_id, post_number, author_id, created_at, lang, body, content, body_hash)
    select gen_random_uuid(), topic_id, number, member_id, created_at - (last_number - number) * interval '1 second', lang,
      body, jsonb_build_array(jsonb_build_object('e', 'p', 'c', jsonb_build_array(body))), sha256(body::bytea)
    from (
      select t.topic_id, t.lang, t.last_number, t.created_at, number,
        (${sentences}::text[])[1 + (number + t.last_number) % ${sentences.length}::int] || ' '
          || (${sentences}::text[])[1 + (number * 7) % ${sentences.length}::int] || ' No ' || number as body
      from forum_topics t, generate_series(1, t.last_number) number) drawn
    join lateral (select member_id from forum_members where handle = 'member-' || 1 + number % 500) m on true`.execute(
    db,
  )
  await fillDocs(db)
  const { rows } = await sql<{ topic_id: string }>`
    select topic_id from forum_topics order by last_number desc limit 1`.execute(db)
  return rows[0]!.topic_id
}
