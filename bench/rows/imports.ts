import { measureImports } from '../imports.ts'
import { plain, type Row } from './row.ts'

export async function importRows(script: string): Promise<Row[]> {
  const { calmP99Ms, imports } = await measureImports(script)
  return imports.map(({ file, mb, importMs, status, answer, p99Ms, asked, failed }) =>
    plain(
      `visitors while staff import ${file} (${mb.toFixed(1)} MB)`,
      `p99 ${p99Ms.toFixed(0)} ms (alone ${calmP99Ms.toFixed(0)}) of ${asked}, ${failed} failed; after ${(importMs / 1000).toFixed(1)} s: ${status} ${answer}`,
      'p99 ≤ 200 ms, 0 failed; no 5xx',
      p99Ms <= 200 && failed === 0 && status > 0 && status < 500,
    ),
  )
}
