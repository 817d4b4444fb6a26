import type { Sql } from '../../kit/server/database.ts'
import { readMarkdown, withMentionsOf, type ReadText } from '../../kit/server/markdown.ts'
import * as store from './store.ts'

/** Further mentions in a post stay plain text. */
const mentionsAtMost = 20

/** Parses Markdown; `@handle` becomes a link if there is such a member. */
export async function readPost(db: Sql, body: string): Promise<ReadText> {
  const read = readMarkdown(body)
  const members = await store.membersByHandles(db, read.mentions.slice(0, mentionsAtMost))
  return { ...read, content: withMentionsOf(read.content, new Set(members.flatMap(({ handle }) => handle ?? []))) }
}

/** Accounts of the members that a text mentions. */
export async function accountsMentioned(db: Sql, { mentions }: Pick<ReadText, 'mentions'>): Promise<string[]> {
  const members = await store.membersByHandles(db, mentions.slice(0, mentionsAtMost))
  return members.flatMap(({ account_id }) => account_id ?? [])
}
