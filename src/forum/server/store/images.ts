import type { Sql } from '../../../kit/server/database.ts'
import { query } from '../../../kit/server/statement.ts'

export async function insertImage(db: Sql, image: { image_name: string; member_id: string; created_at: Date }) {
  await db.insertInto('forum_images').values(image).execute()
}

const longAgo = new Date(0)

/**
 * Whether everybody may see a picture: its post is visible, or it has no post yet. Null: no picture of the forum.
 */
export async function isImageSeen(db: Sql, name: string): Promise<boolean | null> {
  const rows = await query<{ is_seen: boolean }>(
    db,
    `select coalesce(p.state = 'visible' and t.state = 'visible', i.created_at > $longAgo::timestamptz) as is_seen
    from forum_images i left join forum_posts p on p.post_id = i.post_id left join forum_topics t on t.topic_id = p.topic_id
    where i.image_name = $name`,
    { name, longAgo },
  )
  return rows[0]?.is_seen ?? null
}

/** Marks the picture of a deleted post as due for deletion. */
export async function releaseImage(trx: Sql, name: string): Promise<void> {
  await trx
    .updateTable('forum_images')
    .set({ post_id: null, created_at: longAgo })
    .where('image_name', '=', name)
    .execute()
}

/** Gives a picture to a post. False when it is not this member's, or has a post already. */
export async function useImage(trx: Sql, name: string, memberId: string, postId: string): Promise<boolean> {
  const used = await trx
    .updateTable('forum_images')
    .set({ post_id: postId })
    .where('image_name', '=', name)
    .where('member_id', '=', memberId)
    .where('post_id', 'is', null)
    .where('created_at', '>', longAgo)
    .returning('image_name')
    .executeTakeFirst()
  return used !== undefined
}

/** Pictures without a post, uploaded before that moment; at most `limit`. */
export async function unusedImages(db: Sql, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('forum_images')
    .select('image_name')
    .where('post_id', 'is', null)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.image_name)
}

export async function forgetImages(db: Sql, names: string[]): Promise<void> {
  if (names.length > 0) await db.deleteFrom('forum_images').where('image_name', 'in', names).execute()
}
