import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { root, sourcesHash } from './sources.ts'

/** `npm run build`; with `--if-stale` only when a source has changed since the last build. */
const stamp = join(root, 'build', 'sources')
const hash = sourcesHash()
/** How long to wait for another build; one takes a minute on a small machine. */
const waitMs = 10 * 60_000
const isFresh = () => process.argv.includes('--if-stale') && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
if (!isFresh()) await build()

async function build() {
  const cli = join(root, 'node_modules', '@react-router', 'dev', 'bin.cjs')
  if (!existsSync(cli))
    fail('The build tools are missing. Run "npm ci" (without --omit=dev), or bring a built folder along.')
  const lock = alone()
  // the other process has built it
  if (isFresh()) return lock.close()
  process.stdout.write('Building the screens …\n')
  // without its stamp the folder counts as not built until it is complete
  rmSync(stamp, { force: true })
  const run = spawnSync(process.execPath, [cli, 'build'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (run.status !== 0) fail(`${run.stdout}\n${run.stderr}\nThe screens could not be built.`)
  compress(join(root, 'build', 'client', 'assets'))
  // imported here, because a production install has a build but no build tools
  await (await import('./build-worker.ts')).buildWorker()
  await (await import('./build-server.ts')).buildServer()
  compileServer()
  writeFileSync(stamp, hash)
  lock.close()
}

/**
 * Waits until no other process builds this folder (such as `npm start` and a command at the same time), and locks it. The operating
 * system frees the lock when the process ends.
 */
function alone(): DatabaseSync {
  mkdirSync(join(root, 'build'), { recursive: true })
  const lock = new DatabaseSync(join(root, 'build', 'lock'), { timeout: waitMs })
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch {
    fail('Another build of this folder is still running. Please try again once it is done.')
  }
  return lock
}

/** Compresses files once, instead of at every request. */
function compress(folder: string) {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|mjs|css|svg|json)$/.test(name)) continue
    const content = readFileSync(join(folder, name))
    if (content.length < 400) continue
    writeFileSync(
      join(folder, `${name}.br`),
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    )
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
  }
}

/** Loads the server once to store its compiled code: its first start is then faster and takes 15 MB less memory. */
function compileServer() {
  rmSync(join(root, 'build', 'compile-cache'), { recursive: true, force: true })
  const run = spawnSync(process.execPath, ['build/app/main.mjs', '--load-only'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', NODE_COMPILE_CACHE: join('build', 'compile-cache') },
  })
  if (run.status !== 0) fail(`${run.stderr}\nThe server cannot be loaded.`)
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
