import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'

/** A folder that is deleted at the end of its scope: declare it before the servers that use it. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'rheinklang-lab-'))
  return {
    path,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  }
}

/** Starts an empty database that several instances can use. */
export async function startDatabase(): Promise<AsyncDisposable & { url: string; postmaster: number }> {
  const folder = temporaryFolder()
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path })
  return {
    url: socketUrl(postgres),
    postmaster: postgres.pid!,
    async [Symbol.asyncDispose]() {
      await postgres.stop()
      folder[Symbol.dispose]()
    },
  }
}

function socketUrl({ connection: { host, port, user, database } }: EmbeddedPostgres) {
  return `postgres://localhost/${database}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`
}
