import type { Figure } from './load.ts'

/** A line of a table. */
export interface Row {
  what: string
  ours: string
  /** Figure of the bare server or of the other checkout. */
  beside: string
  bar: string
  /** null: no bar. */
  met: boolean | null
}

export function report(rows: Row[]) {
  console.log('\n| what | ours | beside | bar | |\n|---|--:|--:|--:|---|')
  for (const { what, ours, beside, bar, met } of rows)
    console.log(`| ${what} | ${ours} | ${beside} | ${bar} | ${met === null ? '' : met ? 'met' : '**missed**'} |`)
}

/** A figure without a comparison. */
export function plain(what: string, ours: string, bar: string, met: boolean | null): Row {
  return { what, ours, beside: '', bar, met }
}

/** Requests per second, at least `atLeast` times those of a bare server. */
export function rateRow(what: string, ours: Figure, bare: Figure, atLeast: number): Row {
  const ratio = ours.requestsPerSecond / bare.requestsPerSecond
  const met = ratio >= atLeast && ours.failed === 0
  return { what, ours: textOf(ours), beside: textOf(bare), bar: `${ratio.toFixed(2)} ≥ ${atLeast}`, met }
}

/** CPU per request, at most `atMost` times that of a bare server. */
export function cpuRow(what: string, ours: Figure, bare: Figure, atMost: number | null): Row {
  const ratio = ours.cpuMs / bare.cpuMs
  const met = atMost === null ? null : ratio <= atMost && ours.failed === 0
  const bar = `${ratio.toFixed(2)} × CPU${atMost === null ? '' : ` ≤ ${atMost}`}`
  return { what, ours: textOf(ours), beside: textOf(bare), bar, met }
}

export const count = (value: number) => Math.round(value).toLocaleString('en')
export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

function textOf({ requestsPerSecond, cpuMs, failed }: Figure) {
  return `${count(requestsPerSecond)}/s at ${cpuMs.toFixed(2)} ms CPU${failed > 0 ? ` (${failed} failed)` : ''}`
}
