import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from './free-port.ts'

/** Path of the built server in a checkout. */
export const builtServer = 'build/app/main.mjs'

export interface RunningServer extends AsyncDisposable {
  base: string
  pid: number
  /** Time from spawning to the first 200. */
  startMs: number
  stop(): Promise<void>
}

/** Starts a script as a server process, like `npm start`, and waits for its first answer at `probe`. */
export async function startServer(
  script: string,
  env: Record<string, string>,
  { probe, cwd }: { probe: string; cwd?: string },
): Promise<RunningServer> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: 'build/compile-cache',
      // all requests of a test come from one address
      REQUESTS_PER_SECOND: '1000000',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(cwd ? { cwd } : {}),
  })
  const stop = async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await untilAnswers(child, base + probe).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { base, pid: child.pid!, startMs: performance.now() - began, stop, [Symbol.asyncDispose]: stop }
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
