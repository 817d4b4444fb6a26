import { measureAccounts } from '../accounts.ts'
import { parallelLogins } from '../logins.ts'
import type { RunningServer } from '../servers.ts'
import { plain, type Row } from './row.ts'

export async function accountRows(quick: boolean): Promise<Row[]> {
  const { tellings, race } = await measureAccounts(quick ? 100 : 300, quick ? 4 : 20)
  const rows: Row[] = []
  for (const { what, asked, auc, knownMs, unknownMs, alike } of tellings)
    rows.push(
      plain(
        `S6 ${what}: what the time tells of ${asked} known and ${asked} unknown addresses; medians`,
        `AUC ${auc.toFixed(3)}; ${knownMs.toFixed(1)} and ${unknownMs.toFixed(1)} ms${alike ? '' : ' (answers differ)'}`,
        '≤ 0.60, answers alike',
        auc <= 0.6 && alike,
      ),
    )
  const { rounds, clean, strange } = race
  rows.push(
    plain(
      'R14 200 signups with one address at once, two instances: rounds with exactly one account; answers but 201',
      `${clean} of ${rounds}; ${strange}`,
      'all; 0',
      clean === rounds && strange === 0,
    ),
  )
  return rows
}

export async function loginRow(app: RunningServer, path: string): Promise<Row> {
  const { fortyMs, othersP99Ms, failed } = await parallelLogins(app, path)
  return plain(
    'S7 40 logins at once: until the last is in; p99 of others meanwhile',
    `${(fortyMs / 1000).toFixed(2)} s; ${othersP99Ms.toFixed(0)} ms${failed > 0 ? ` (${failed} failed)` : ''}`,
    '≤ 4 s; ≤ 200 ms',
    fortyMs <= 4000 && othersP99Ms <= 200 && failed === 0,
  )
}
