import { parseArgs } from 'node:util'
import { accountRows } from './accounts.ts'
import { apiRows } from './api.ts'
import { build, openCheckouts, ownRoot } from './checkouts.ts'
import { measureCluster } from './cluster.ts'
import { measureCrowd } from './crowd.ts'
import { embeddedRows } from './embedded.ts'
import { filterRows } from './filters.ts'
import { forumRows } from './forum.ts'
import { mapRows } from './map.ts'
import { outageRows } from './outages.ts'
import { overloadRows } from './overload.ts'
import { pageRows } from './pages.ts'
import { paymentRows } from './payments.ts'
import { reminderRows } from './reminders.ts'
import { report, type Row } from './report.ts'
import { releaseBefore, rollingRows } from './rolling.ts'
import { searchRows } from './search.ts'
import { sizeRows } from './size.ts'
import { startRows } from './start.ts'
import { streamRows } from './streams.ts'
import { writeRows } from './writes.ts'

const names =
  'at-most addresses beside deals due episodes faults from idle instances kills only open per-second pool-mode posts runs seconds shuffles sizes times visitors'

/** `npm run measure -- COMMAND [--option=value]` in lab/. lab/README.md lists the commands. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(names.split(' ').map((name) => [name, { type: 'string' as const }])),
})
const text = (name: string) => values[name] ?? null
const number = (name: string, otherwise: number) => Number(values[name] ?? otherwise)
const list = (name: string) => values[name]?.split(',') ?? []
const numbers = (name: string, otherwise: number[]) => (values[name] ? list(name).map(Number) : otherwise)

/** Each returns the rows of its table, or prints its results itself. */
const commands: Record<string, () => Row[] | Promise<Row[] | void>> = {
  crowd: () =>
    measureCrowd(openCheckouts(text('beside')), {
      deals: number('deals', 10_000),
      visitors: number('visitors', 5000),
      atMost: number('at-most', 1.15),
    }),
  api: () => apiRows(number('deals', 10_000), number('seconds', 3)),
  search: () => searchRows(numbers('sizes', [1_000, 10_000, 100_000]), number('seconds', 3)),
  writes: () => writeRows(number('seconds', 3)),
  embedded: () => embeddedRows(process.env['LAB_DATABASE_URL'] ?? '', number('seconds', 3)),
  start: () => startRows(openCheckouts(text('beside'))),
  size: () => sizeRows(),
  pages: () => pageRows(openCheckouts(text('beside')), { only: list('only'), runs: number('runs', 3) }),
  filters: () => filterRows(),
  map: () => mapRows(numbers('sizes', [1_000, 100_000])),
  forum: () => forumRows(number('posts', 20_000), number('seconds', 3)),
  outages: () => outageRows(number('seconds', 60), number('episodes', 10)),
  rolling: () => rollingRows(text('from') ?? releaseBefore(), number('seconds', 120)),
  overload: () => overloadRows(number('seconds', 60)),
  reminders: () => reminderRows(number('due', 2000), number('instances', 4), number('kills', 0)),
  payments: () => paymentRows(number('shuffles', 1000)),
  accounts: () => accountRows(number('addresses', 300)),
  streams: () => streamRows(number('open', 500), number('per-second', 4), number('seconds', 10), number('idle', 5000)),
  cluster: async () => {
    const poolMode = text('pool-mode') === 'transaction' ? 'transaction' : 'session'
    const chosen = values['faults'] ? list('faults') : null
    await measureCluster(chosen, { times: number('times', 1), open: number('open', 5000), poolMode })
  },
}

const [name = ''] = positionals
const command = commands[name]
if (!command) {
  console.error(`npm run measure -- COMMAND\n\nCommands: ${Object.keys(commands).join(', ')}. See lab/README.md.`)
  process.exit(1)
}
process.chdir(ownRoot)
build(ownRoot)
const rows = await command()
if (rows) report(rows)
process.exit()
