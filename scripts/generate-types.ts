import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/kit/server/database.ts'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { migrate } from '../src/kit/server/migrate.ts'

/** Writes src/database-types.ts from a newly migrated database; with `--check` only fails when the file is out of date. */
const target = new URL('../src/database-types.ts', import.meta.url).pathname
const dataDir = mkdtempSync(join(tmpdir(), 'rheinklang-types-'))
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  const { db } = openDatabase(postgres.connection)
  await migrate(db)
  await db.destroy()
  const { host, port, user, database } = postgres.connection
  const out = join(dataDir, 'database-types.ts')
  execFileSync(
    process.execPath,
    [
      '--import',
      new URL('typescript-by-name.ts', import.meta.url).href,
      'node_modules/kysely-codegen/dist/cli/bin.js',
      '--dialect',
      'postgres',
      '--url',
      `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
      '--out-file',
      out,
      '--exclude-pattern',
      '{kysely_*,jobs.*}',
      '--type-mapping',
      '{"int8":"number","numeric":"number","date":"string"}',
      '--log-level',
      'error',
    ],
    { stdio: 'inherit' },
  )
  const generated = readFileSync(out, 'utf8')
  if (process.argv.includes('--check')) {
    const same = readFileSync(target, 'utf8') === generated
    if (!same) console.error('src/database-types.ts is not what the migrations give. Run "npm run types".')
    process.exitCode = same ? 0 : 1
  } else writeFileSync(target, generated)
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
