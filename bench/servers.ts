import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../test/free-port.ts'

export interface RunningServer {
  base: string
  pid: number
  /** From spawning to the first 200. */
  startMs: number
  stop(): Promise<void>
}

/** As `npm start` runs it. */
export const startFlags = ['--max-old-space-size=768', '--max-semi-space-size=16']

/** What a server of this checkout starts with, or of one before 2026-11-26. */
export const programOf = (checkout: string) =>
  existsSync(join(checkout, 'build/app/main.mjs')) ? 'build/app/main.mjs' : 'src/app/main.ts'

/** What `npm start` sets. */
const asStarted = { NODE_COMPILE_CACHE: 'build/compile-cache', MALLOC_ARENA_MAX: '2' }

/** Starts a script as a server of its own and waits for its first answer at `probe`. */
export async function startServer(
  script: string,
  env: Record<string, string>,
  options: { probe: string; nodeArgs?: string[]; args?: string[]; cwd?: string },
): Promise<RunningServer> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), script, ...(options.args ?? [])], {
    env: {
      ...process.env,
      ...asStarted,
      // all the load comes from one address
      REQUESTS_PER_SECOND: '1000000',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(options.cwd ? { cwd: options.cwd } : {}),
  })
  await untilAnswers(child, base + options.probe)
  return {
    base,
    pid: child.pid!,
    startMs: performance.now() - began,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

async function untilAnswers(child: ChildProcess, url: string) {
  const deadline = performance.now() + 60_000
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`)
    const good = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (good) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`No answer from ${url} within a minute.`)
}
