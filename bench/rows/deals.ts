import { measureLastItems } from '../redeem.ts'
import { connections, measureViews } from '../views.ts'
import { plain, type Row } from './row.ts'

export async function lastItemRows(quick: boolean): Promise<Row[]> {
  const parallel = 200
  const { rounds, restarts, claimed, redeemed, strange, slowestMs } = await measureLastItems(
    parallel,
    quick ? 2 : 20,
    quick ? 1 : 3,
  )
  const odd = Object.entries(strange)
    .map(([answer, count]) => `${count} × ${answer}`)
    .join(', ')
  const row = (what: string, won: number) =>
    plain(
      `R14 ${parallel} ${what} the last item at once, two instances: rounds with exactly one winner, ${restarts} of them while the database restarts; answers but 201, 409, 429; slowest round`,
      `${won} of ${rounds}; ${odd || 'none'}; ${(slowestMs / 1000).toFixed(1)} s`,
      'all; none',
      won === rounds && odd === '',
    )
  return [row('claims of', claimed), row('redemptions of', redeemed)]
}

export async function viewRows(quick: boolean): Promise<Row[]> {
  const { viewsPerSecond, p99Ms, failed, acknowledged, counted, cpuMs, barePerSecond } = await measureViews(
    quick ? 5 : 15,
  )
  return [
    {
      what: 'Views of one deal, each by a visitor of its own, one instance, beside node:http with an empty answer',
      ours: `${Math.round(viewsPerSecond).toLocaleString('en')}/s at ${cpuMs.toFixed(2)} ms CPU, p99 ${p99Ms} ms, ${failed} failed`,
      ceiling: `${Math.round(barePerSecond).toLocaleString('en')}/s`,
      ratio: (viewsPerSecond / barePerSecond).toFixed(2),
      bar: '≥ 5,000/s; 0',
      met: viewsPerSecond >= 5000 && failed === 0,
    },
    plain(
      'Views acknowledged, and counted after a stop (those under way at the end may be counted, too)',
      `${acknowledged.toLocaleString('en')}, ${counted.toLocaleString('en')}`,
      'none lost',
      counted >= acknowledged && counted - acknowledged <= connections,
    ),
  ]
}
