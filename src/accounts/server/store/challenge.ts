import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

/** @returns false: this proof of work was used before */
export async function useChallenge(db: Sql, challengeHash: Buffer, expiresAt: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into used_challenges (challenge_hash, expires_at) values (${challengeHash}, ${expiresAt})
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}
