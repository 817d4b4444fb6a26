import { plain, type Row } from './row.ts'

/** What is compared between towns of different sizes. */
export interface TownFigures {
  /** How many deals it has. */
  size: number
  /** Medians of answers. */
  p50Ms: Record<'list' | 'item' | 'search', number>
  /** Of the search statement alone. */
  searchMs: { ours: number; reference: number; count: number }
}

export function growthRows(towns: TownFigures[]): Row[] {
  const rows: Row[] = []
  const [smallest, largest] = [towns[0]!, towns.at(-1)!]
  const first = smallest.size.toLocaleString('en')
  const last = largest.size.toLocaleString('en')
  for (const name of ['list', 'item'] as const) {
    const [small, large] = [smallest.p50Ms[name], largest.p50Ms[name]]
    const ratio = large / small
    rows.push({
      what: `P10 ${name}, median from ${first} to ${last} deals`,
      ours: `${large.toFixed(1)} ms`,
      ceiling: `${small.toFixed(1)} ms`,
      ratio: ratio.toFixed(2),
      bar: '≤ 1.3',
      met: ratio <= 1.3,
    })
  }
  for (const { size, searchMs } of towns) {
    const { ours, reference } = searchMs
    const ratio = ours / reference
    rows.push({
      what: `P11 search statement, ${size.toLocaleString('en')} deals`,
      ours: `${ours.toFixed(2)} ms`,
      ceiling: `${reference.toFixed(2)} ms`,
      ratio: ratio.toFixed(2),
      bar: '≤ 1.2',
      met: ratio <= 1.2,
    })
  }
  for (const { size, searchMs } of towns) {
    const { count, reference } = searchMs
    rows.push({
      what: `beside it: counting what it finds, up to 1,000; ${size.toLocaleString('en')} deals`,
      ours: `${count.toFixed(2)} ms`,
      ceiling: `${reference.toFixed(2)} ms`,
      ratio: (count / reference).toFixed(2),
      bar: '',
      met: null,
    })
  }
  if (smallest === largest) return rows
  const exponent = Math.log(largest.searchMs.ours / smallest.searchMs.ours) / Math.log(largest.size / smallest.size)
  rows.push(plain(`P11 growth of the search statement, exponent`, exponent.toFixed(2), '≤ 0.5', exponent <= 0.5))
  return rows
}
