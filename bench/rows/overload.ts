import { isBounded, measureCostly, tellCostly } from '../costly.ts'
import { overload } from '../overload.ts'
import type { RunningServer } from '../servers.ts'
import { plain, type Row } from './row.ts'

/** `checkout`: another one to measure beside it. */
export async function costlyRow(checkout: string | null): Promise<Row> {
  const { ours, before } = await measureCostly(checkout)
  return {
    what: 'R21 100 others ask for maps and misspelt words, 50,000 deals: searches at a place meanwhile',
    ours: tellCostly(ours),
    ceiling: before ? `before: ${tellCostly(before)}` : '',
    ratio: '',
    bar: 'p99 ≤ 1000 ms, 0 failed; 503 only with Retry-After',
    met: isBounded(ours),
  }
}

export async function overloadRow(app: RunningServer, quick: boolean): Promise<Row> {
  const { strange, answered, refused, peakMb, calmAgainS } = await overload(app, quick ? 10 : 60)
  return plain(
    'R21 500 connections on the heaviest search: answers 200, 429 or 503; memory; calm again after',
    `${answered.toLocaleString('en')} answered, ${refused.toLocaleString('en')} refused, ${strange} others; ${peakMb.toFixed(0)} MB; ${calmAgainS === null ? 'not in 10 s' : `${calmAgainS.toFixed(1)} s`}`,
    '0 others; ≤ 512 MB; ≤ 10 s',
    strange === 0 && peakMb <= 512 && calmAgainS !== null,
  )
}
