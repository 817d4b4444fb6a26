const around = 90
const longest = 240

/** Part of a text on one line, from shortly before the first of the searched words. */
export function excerptOf(text: string, words: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const fold = (part: string) => part.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
  const folded = fold(line)
  // places do not match where folding changed the length: show the beginning
  const places = folded.length === line.length ? wordsOf(words).map((word) => folded.indexOf(fold(word))) : []
  const first = Math.min(...places.filter((place) => place >= 0))
  const begins = Number.isFinite(first) && first > around ? line.lastIndexOf(' ', first - around / 2) + 1 : 0
  const letters = Array.from(line.slice(begins))
  const cut = letters.slice(0, longest).join('')
  return `${begins > 0 ? '… ' : ''}${cut}${letters.length > longest ? ' …' : ''}`
}

const wordsOf = (words: string) => words.split(/\s+/).filter((word) => word.length > 1)
