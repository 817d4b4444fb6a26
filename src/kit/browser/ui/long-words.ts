/** Widths of letters in the display font, em; letters that are not listed are at most 0.6 em wide. */
const widths: [RegExp, number][] = [
  [/[iljIJ.,;:!'’|()]/, 0.27],
  [/[ftr]/, 0.4],
  [/[mwMW@%—]/, 0.92],
  [/[A-Z\u00c0-\u00de&]/, 0.68],
]
const usualWidth = 0.59

/** Width in em. Words end where a browser may break the line. */
function longestWord(text: string): number {
  const words = text.split(/[\s\u00ad]+|(?<=[-–])/)
  return Math.max(...words.map((word) => [...word].reduce((sum, letter) => sum + widthOf(letter), 0)))
}

const widthOf = (letter: string) => widths.find(([letters]) => letters.test(letter))?.[1] ?? usualWidth

const steps: [number, string][] = [
  [5.4, 'word-of-6'],
  [7, 'word-of-7'],
  [9, 'word-of-9'],
  [11, 'word-of-11'],
  [13, 'word-of-13'],
  [16, 'word-of-16'],
  [20, 'word-of-20'],
  // broken in any size: one that can be read
  [Infinity, 'word-of-11'],
]

/**
 * Classes for the size of a headline that a visitor or merchant wrote: smaller if it is long, and small enough for its longest
 * word, because a browser without hyphenation breaks words anywhere. Its parent must be a `@container`.
 */
export function headlineType(text: string): string {
  const step = longestWord(text) > 7 ? stepOf(text) : ''
  const isLong = text.length > 40
  const size = step ? `${step} ${isLong ? '[--headline:var(--text-3xl)]' : ''}` : isLong ? 'text-3xl' : ''
  return `[overflow-wrap:anywhere] ${size}`
}

/** `headlineType` for a headline in poster size. */
export function posterType(text: string): string {
  return `${stepOf(text)} md:leading-(--text-poster--line-height) md:[--headline:var(--text-poster)]`
}

function stepOf(text: string): string {
  const longest = longestWord(text)
  return steps.find(([width]) => longest <= width)![1]
}
