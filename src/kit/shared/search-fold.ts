const ligatures: Record<string, string> = { Æ: 'a', æ: 'a', Œ: 'o', œ: 'o', Ø: 'o', ø: 'o', ẞ: 'ß' }

/** The same as `search_fold` in migrations/0001_search.sql; highlight.api.test.ts compares the two. */
export function fold(text: string): string {
  return (isAscii.test(text) ? text : withoutAccents(text))
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ae', 'a')
    .replaceAll('oe', 'o')
    .replaceAll('ue', 'u')
    .replace(/c(?!h)/g, 'k')
    .replaceAll('ph', 'f')
    .replaceAll('y', 'i')
    .replace(/['’‘ʼ`]/g, '')
    .replace(/([a-z])\1{3,}/g, '$14')
    .replace(/([a-z])\1+/g, '$1')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
}

const isAscii = /^[\0-\x7f]*$/

const withoutAccents = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ÆæŒœØøẞ]/g, (letter) => ligatures[letter]!)
