import type { Post } from '../contract.ts'

/** Whom a reply may mean: who has written in the topic, the last first. */
export interface Person {
  name: string
  handle: string
}

export function peopleOf(posts: Pick<Post, 'author'>[]): Person[] {
  const people = new Map<string, Person>()
  for (const { author } of posts.toReversed()) {
    const { name, handle } = author
    if (name && handle && !people.has(handle)) people.set(handle, { name, handle })
  }
  return [...people.values()]
}

const mostShown = 5
/** Before the "@", what the reader of posts asks for too: no address of a mail, no path. */
const begun = /(?<![\p{L}\p{N}_@/.-])@([\p{L}\p{N}-]{0,39})$/u

/** The people whose name or handle begins as the mention at the caret does; none where there is no such mention. */
export function suggestionsAt(text: string, caret: number, people: Person[]): Person[] {
  const typed = begun.exec(text.slice(0, caret))?.[1]?.toLowerCase()
  if (typed === undefined) return []
  const begins = (word: string) => word.toLowerCase().startsWith(typed)
  const meant = people.filter(({ name, handle }) => begins(handle) || name.split(/[\s-]+/).some(begins))
  // whole already
  return meant.some(({ handle }) => handle === typed) ? [] : meant.slice(0, mostShown)
}

/** The text with the mention at the caret written out, and where the caret is then. */
export function withMention(text: string, caret: number, { handle }: Person): { body: string; caret: number } {
  const from = text.lastIndexOf('@', caret - 1)
  const rest = text.slice(caret).replace(/^[\p{L}\p{N}-]+/u, '')
  const mention = `@${handle} `
  return { body: text.slice(0, from) + mention + rest.replace(/^ /, ''), caret: from + mention.length }
}
