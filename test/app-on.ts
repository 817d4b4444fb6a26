import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/app/config.ts'
import { startApp, type RunningApp } from '../src/app/start.ts'
import type { Pages } from '../src/app/server/pages.ts'

export interface AppOn extends RunningApp {
  url: string
  dataDir: string
  close(): Promise<void>
}

/** Starts an instance on the test's own database, with a running clock. */
export async function startAppOn(
  databaseUrl: string,
  { env = {}, log, pages = null }: { env?: Record<string, string>; log?: string[]; pages?: Pages | null } = {},
): Promise<AppOn> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-app-'))
  const config = readConfig(
    {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: log ? 'info' : 'silent',
      DEMO_DATA: 'off',
      ...env,
    },
    process.cwd(),
  )
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true })
  const running = await startApp(config, {
    pages,
    ...(log ? { logTo: { write: (line: string) => void log.push(line) } } : {}),
  }).catch((refused: unknown) => {
    removeFolder()
    throw refused
  })
  return {
    ...running,
    url: running.address,
    dataDir,
    async close() {
      await running.stop()
      removeFolder()
    },
  }
}
