import type { Post } from '../contract.ts'

/** Suggested for mentions: the authors in the topic, latest first. */
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
/** Before the "@", the same as in `markdown.ts`: not in an email address or a path. */
const mentionStart = /(?<![\p{L}\p{N}_@/.-])@([\p{L}\p{N}-]{0,39})$/u

/** People whose name or handle begins like the mention at the caret; none without a mention there. */
export function suggestionsAt(text: string, caret: number, people: Person[]): Person[] {
  const typed = mentionStart.exec(text.slice(0, caret))?.[1]?.toLowerCase()
  if (typed === undefined) return []
  const begins = (word: string) => word.toLowerCase().startsWith(typed)
  const found = people.filter(({ name, handle }) => begins(handle) || name.split(/[\s-]+/).some(begins))
  // a complete handle needs no suggestions
  return found.some(({ handle }) => handle === typed) ? [] : found.slice(0, mostShown)
}

/** The text with the mention at the caret completed, and the new position of the caret. */
export function withMention(text: string, caret: number, { handle }: Person): { body: string; caret: number } {
  const from = text.lastIndexOf('@', caret - 1)
  const rest = text.slice(caret).replace(/^[\p{L}\p{N}-]+/u, '')
  const mention = `@${handle} `
  return { body: text.slice(0, from) + mention + rest.replace(/^ /, ''), caret: from + mention.length }
}
