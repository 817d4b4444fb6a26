import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../servers.ts'
import { plain, type Row } from './row.ts'

export async function startRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-start-'))
  try {
    const times: number[] = []
    for (let n = 0; n < 4; n++) {
      const app = await startServer('build/app/main.mjs', { DATA_DIR: folder, DATABASE_URL: '' }, { probe: '/healthz' })
      times.push(app.startMs)
      await app.stop()
    }
    const [empty, ...warm] = times as [number, number, number, number]
    const median = warm.sort((a, b) => a - b)[1]!
    return [
      plain(
        'P8 start on an empty folder, to the first answer',
        `${(empty / 1000).toFixed(2)} s`,
        '≤ 6 s',
        empty <= 6000,
      ),
      plain('P8 start again, to the first answer', `${(median / 1000).toFixed(2)} s`, '≤ 1.5 s', median <= 1500),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
