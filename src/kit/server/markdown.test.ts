import { describe, expect, it } from 'vitest'
import { readMarkdown } from './markdown.ts'

/** Characters */
const longest = 10_000
const filled = (part: string) => part.repeat(Math.floor(longest / part.length))

/** Texts of the maximal length of a post that are made to be slow. */
const bombs: [string, string][] = [
  ['10,000 quotes in each other', filled('>') + 'x'],
  ['quotes and lists in each other', filled('> - ') + 'x'],
  ['lists in each other', Array.from({ length: 130 }, (_, depth) => `${' '.repeat(depth)}- x`).join('\n')],
  ['brackets that never close', filled('[')],
  ['pictures in links in pictures', filled('![[')],
  ['links', filled('[a](https://a.ch) ')],
  ['bare addresses', filled('https://a.ch ')],
  ['mentions', filled('@ab ')],
  ['stars of all kinds', filled('*a **b _c __d ')],
  ['stars that never close', filled('**a ')],
  ['backticks of growing length', Array.from({ length: 139 }, (_, n) => '`'.repeat(n + 1)).join(' ')],
  ['entities', filled('&amp;')],
  ['a table', filled('| a | b |\n|---|---|\n')],
  ['references', filled('[a]: https://a.ch\n')],
  ['escapes', filled('\\*')],
  ['angle brackets', filled('<a ')],
  ['an address of full stops and brackets', `http://${'.'.repeat(4990)}a${')'.repeat(4990)}`],
  ['an address of marks', `http://${filled('?').slice(10)}a`],
]

const elementsIn = (pieces: readonly unknown[]): number =>
  pieces.reduce<number>(
    (sum, piece) => sum + (typeof piece === 'string' ? 0 : 1 + elementsIn((piece as { c?: unknown[] }).c ?? [])),
    0,
  )
const depthOf = (pieces: readonly unknown[]): number =>
  Math.max(
    0,
    ...pieces.map((piece) => (typeof piece === 'string' ? 0 : 1 + depthOf((piece as { c?: unknown[] }).c ?? []))),
  )

describe('a text made to be slow', () => {
  it.each(bombs)('%s: is read within 50 ms, into few elements that are not deeply nested', (_, bomb) => {
    expect(bomb.length).toBeLessThanOrEqual(longest + 1)
    const { content } = readMarkdown(bomb)
    expect(depthOf(content)).toBeLessThanOrEqual(45)
    expect(elementsIn(content)).toBeLessThanOrEqual(5000)
    // the fastest of five runs, as the first run compiles the code
    expect(Math.min(...Array.from({ length: 5 }, () => cpuMsOf(() => readMarkdown(bomb))))).toBeLessThanOrEqual(50)
  })
})

/** CPU time of this process, which does not depend on the load of the machine. */
function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
