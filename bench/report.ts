import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { generator } from './load.ts'
import type { Row } from './rows/row.ts'

interface Run {
  /** The folder of the checkout. */
  root: string
  /** For so long each thing was measured. */
  seconds: number
  /** Deals of the towns that were measured. */
  sizes: number[]
}

/** Prints the table, and keeps it in docs/performance.md where the run is `kept`. */
export function report(rows: Row[], kept: Run | null = null) {
  const table = [
    '| what | ours | ceiling | ratio | bar | |',
    '|---|--:|--:|--:|--:|---|',
    ...rows.map(
      (row) =>
        `| ${row.what} | ${row.ours} | ${row.ceiling} | ${row.ratio} | ${row.bar} | ${row.met === null ? '' : row.met ? 'met' : '**missed**'} |`,
    ),
  ].join('\n')
  console.log(`\n${table}`)
  if (!kept) return
  const { root, seconds, sizes } = kept
  const file = join(root, 'docs/performance.md')
  const text = readFileSync(file, 'utf8')
  const head = `Node ${process.versions.node}, ${cpus().length} cores, ${generator}, ${seconds} s each, load average ${loadavg()[2]!.toFixed(0)} over 15 minutes, ${new Date().toISOString().slice(0, 10)}; sizes: ${sizes.map((size) => size.toLocaleString('en')).join(', ')} deals.`
  writeFileSync(
    file,
    text.replace(/<!-- table -->[\s\S]*<!-- end -->/, () => `<!-- table -->\n${head}\n\n${table}\n<!-- end -->`),
  )
}
