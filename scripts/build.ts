import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { root, sourcesHash } from './sources.ts'

/** `npm run build`; with `--if-stale` only when a source has changed since. */
const stamp = join(root, 'build', 'sources')
const hash = sourcesHash()
/** A build takes a minute on a small machine. */
const waitMs = 10 * 60_000
const isFresh = () => process.argv.includes('--if-stale') && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
if (!isFresh()) await build()

async function build() {
  const cli = join(root, 'node_modules', '@react-router', 'dev', 'bin.cjs')
  if (!existsSync(cli))
    fail('The build tools are missing. Run "npm ci" (without --omit=dev), or bring a built folder along.')
  const lock = alone()
  // built by another meanwhile
  if (isFresh()) return lock.close()
  process.stdout.write('Building the screens …\n')
  // from here on it is the build of no version, until it is whole
  rmSync(stamp, { force: true })
  const run = spawnSync(process.execPath, [cli, 'build'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (run.status !== 0) fail(`${run.stdout}\n${run.stderr}\nThe screens could not be built.`)
  compress(join(root, 'build', 'client', 'assets'))
  // a production install has a build, and none of the tools
  await (await import('./build-worker.ts')).buildWorker()
  await (await import('./build-server.ts')).buildServer()
  compileServer()
  writeFileSync(stamp, hash)
  lock.close()
}

/**
 * Waits for another build of this folder, such as that of `npm start` while a command begins beside it: two would write over
 * each other. The kernel frees the lock with its process.
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

/** Compressed once here instead of at every request. */
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

/** Loads the server once, so that its first start finds it compiled: that takes less time and 15 MB less memory. */
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
