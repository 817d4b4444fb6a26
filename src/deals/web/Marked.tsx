import type { DealMatch } from '../contract.ts'

/** A text with the matched words of a search marked. */
export function Marked({ text, spans }: { text: string; spans: DealMatch['name'] }) {
  if (spans.length === 0) return text
  return spans.flatMap(({ start, end }, n) => [
    text.slice(spans[n - 1]?.end ?? 0, start),
    <mark key={start}>{text.slice(start, end)}</mark>,
    ...(n === spans.length - 1 ? [text.slice(end)] : []),
  ])
}
