import { measureGreedySearches, measureLargeUploads, type GreedySearches } from '../turns.ts'
import { plain, type Row } from './row.ts'

/** `checkout`: another one to measure beside it. */
export async function turnRows(checkout: string | null): Promise<Row[]> {
  const ours = await measureGreedySearches(null)
  const before = checkout ? await measureGreedySearches(checkout) : null
  const searches: Row = {
    what: 'One address with 100 searches of all filters at once, 50,000 deals: words, misspelt words and maps of three others meanwhile',
    ours: tell(ours),
    ceiling: before ? `before: ${tell(before)}` : '',
    ratio: '',
    bar: 'the slowest ≤ 1 s, 0 refused; 0 of the 600',
    met: ours.honest.slowestMs <= 1000 && refused(ours.honest) === 0 && refused(ours.greedy) === 0,
  }
  const uploads = (await measureLargeUploads()).map(({ what, sent, slowestMs, cpuMs, others }) =>
    plain(
      `${sent} pictures for the forum at once, of one address (${what}): the slowest`,
      `${(slowestMs / 1000).toFixed(1)} s at ${cpuMs.toFixed(0)} ms CPU each; ${others.size === 0 ? 'all taken' : [...others].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
      '≤ 4 s; all taken',
      slowestMs <= 4000 && others.size === 0,
    ),
  )
  return [searches, ...uploads]
}

const refused = ({ statuses }: GreedySearches['greedy']) =>
  [...statuses].reduce((sum, [status, count]) => sum + (status === 200 ? 0 : count), 0)

function tell({ calm, honest, greedy }: GreedySearches): string {
  const asked = [...honest.statuses.values()].reduce((sum, count) => sum + count, 0)
  return `p99 ${honest.p99Ms.toFixed(0)} ms, the slowest ${honest.slowestMs.toFixed(0)} (alone ${calm.slowestMs.toFixed(0)}), ${refused(honest)} of ${asked} refused; of the 600 ${refused(greedy)}, their slowest ${(greedy.slowestMs / 1000).toFixed(1)} s`
}
