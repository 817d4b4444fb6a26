/** Widths of letters in the display face, em; what is not named here is at most 0.6 wide. */
const widths: [RegExp, number][] = [
  [/[iljIJ.,;:!'’|()]/, 0.27],
  [/[ftr]/, 0.4],
  [/[mwMW@%—]/, 0.92],
  [/[A-Z\u00c0-\u00de&]/, 0.68],
]
const usualWidth = 0.59

/** em; the words of a text are what a browser would break it into. */
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
  // broken in any type: one that can be read
  [Infinity, 'word-of-11'],
]

/**
 * The type of a headline that somebody else wrote: smaller where it is long, and as small as its longest word needs, for a
 * browser that knows no hyphens would cut it anywhere. What it stands in must be a `@container`.
 */
export function headlineType(text: string): string {
  const step = longestWord(text) > 7 ? stepOf(text) : ''
  const isLong = text.length > 40
  const size = step ? `${step} ${isLong ? '[--headline:var(--text-3xl)]' : ''}` : isLong ? 'text-3xl' : ''
  return `[overflow-wrap:anywhere] ${size}`
}

/** The same for a headline as large as on a poster. */
export function posterType(text: string): string {
  return `${stepOf(text)} md:leading-(--text-poster--line-height) md:[--headline:var(--text-poster)]`
}

function stepOf(text: string): string {
  const longest = longestWord(text)
  return steps.find(([width]) => longest <= width)![1]
}
