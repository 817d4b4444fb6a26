import type { DealMatch } from '../contract.ts'
import { fold } from '../../kit/shared/search-fold.ts'

type Span = DealMatch['name'][number]

/** The words of a search, folded: beginnings of words, and whole words. */
export interface Terms {
  beginnings: string[]
  words: Set<string>
}

/** The terms of a text-search query as `search_query` writes it: `('kafe':* | 'kafes') & ('rosti':*)`. */
export function termsOf(query: string): Terms {
  const terms: Terms = { beginnings: [], words: new Set() }
  for (const [, word, begins] of query.matchAll(/'((?:[^']|'')+)'(:\*)?/g)) {
    if (begins) terms.beginnings.push(word!)
    else terms.words.add(word!)
  }
  return terms
}

/**
 * Where a deal has the words of a search. The search ignores differences of spelling, so texts are folded here as `search_fold`
 * folds them in the database. The description is quoted only when neither the name, nor the merchant, nor a tag has the words.
 * Null when nothing has them: the deal was found by its category.
 */
export function matchOf(
  deal: { deal_name: string; business_name: string; tags: string[]; description: string | null },
  terms: Terms,
): DealMatch | null {
  const name = spansIn(deal.deal_name, terms)
  const merchant = spansIn(deal.business_name, terms)
  const match: DealMatch = { name, merchant, tag: null, excerpt: null }
  if (name.length > 0 || merchant.length > 0) return match
  for (const tag of deal.tags) {
    const spans = spansIn(tag, terms)
    if (spans.length > 0) return { ...match, tag: { text: tag, spans } }
  }
  const excerpt = excerptOf(deal.description ?? '', terms)
  return excerpt && { ...match, excerpt }
}

/** Letters quoted before and after the first match; cut at whole words. */
const before = 28
const after = 60

function excerptOf(description: string, terms: Terms): DealMatch['excerpt'] {
  const text = description.replace(/\s+/g, ' ').trim()
  const [first] = eachSpan(text, terms)
  if (!first) return null
  let start = Math.max(0, first.start - before)
  if (start > 0) start = Math.min(first.start, text.indexOf(' ', start) + 1 || first.start)
  let end = Math.min(text.length, first.end + after)
  if (end < text.length) end = Math.max(first.end, text.lastIndexOf(' ', end))
  const quoted = text.slice(start, end).replace(/[\s,;:–-]+$/, '')
  const shown = `${start > 0 ? '… ' : ''}${quoted}${start + quoted.length < text.length ? ' …' : ''}`
  return { text: shown, spans: spansIn(shown, terms) }
}

/** Letters, digits and accents; an apostrophe inside a word is part of it. */
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’‘`]*/gu

const spansIn = (text: string, terms: Terms): Span[] => [...eachSpan(text, terms)]

/** Spans of the matched words, in order; a generator, since some callers need only the first. */
function* eachSpan(text: string, { beginnings, words }: Terms): Generator<Span, void> {
  // a fast way out: folding the whole text costs as much as folding one word, and most texts have no match
  const whole = fold(text)
  if (!beginnings.some((beginning) => whole.includes(beginning)) && ![...words].some((word) => whole.includes(word)))
    return
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const parts = fold(word).split(' ')
    if (parts.some((part) => words.has(part) || beginnings.some((beginning) => part.startsWith(beginning))))
      yield { start: index, end: index + word.replace(/['’‘ʼ`]+$/, '').length }
  }
}
