import type { Sql } from '../../kit/server/database.ts'
import { readMarkdown, withMentionsOf, type ReadText } from '../../kit/server/markdown.ts'
import * as store from './store.ts'

/** So many people can be called into a post; further names are text. */
const mentionsAtMost = 20

/** The text of a post as Markdown, in which `@name` leads to a member where there is one of that name. */
export async function readPost(db: Sql, body: string): Promise<ReadText> {
  const read = readMarkdown(body)
  const members = await store.membersByHandles(db, read.mentions.slice(0, mentionsAtMost))
  return { ...read, content: withMentionsOf(read.content, new Set(members.flatMap(({ handle }) => handle ?? []))) }
}

/** The accounts that a text calls. */
export async function accountsMentioned(db: Sql, { mentions }: Pick<ReadText, 'mentions'>): Promise<string[]> {
  const members = await store.membersByHandles(db, mentions.slice(0, mentionsAtMost))
  return members.flatMap(({ account_id }) => account_id ?? [])
}
