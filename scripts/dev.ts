import { spawn, type ChildProcess } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { root } from './sources.ts'

/**
 * `npm run dev`: the server with Vite inside, so that screens change in the browser as they are saved; a change of what
 * the server itself runs (rules, contracts, what both sides share, migrations, texts) starts it anew. (`node --watch`
 * would loop on Vite's temporary files.)
 */
let child: ChildProcess | null = null
let timer: NodeJS.Timeout | undefined
let starting = false
let stopping = false

start()
for (const folder of ['src', 'demo', 'migrations', 'messages']) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!file || !isServerFile(join(folder, file).replaceAll('\\', '/'))) return
    clearTimeout(timer)
    timer = setTimeout(restart, 150)
  })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping = true
    // never the signal that a terminal sends to both of us: a second one would cut the server off
    if (child) child.kill('SIGTERM')
    else process.exit(0)
  })
}

/** Whatever is not for browsers alone. */
function isServerFile(path: string): boolean {
  if (/\.(test|e2e)\.tsx?$/.test(path)) return false
  return /\.(sql|json)$/.test(path) || (path.endsWith('.ts') && !/\/(web|browser)\//.test(path))
}

function start() {
  child = spawn(process.execPath, ['src/app/main.ts', '--dev'], { cwd: root, stdio: 'inherit' })
  child.on('exit', (code) => {
    child = null
    if (stopping) process.exit(code ?? 0)
  })
}

function restart() {
  // a server that ends takes its time, and what is saved meanwhile is read by the next one
  if (starting || stopping) return
  process.stdout.write('\nServer code changed: starting anew …\n')
  if (!child) return start()
  starting = true
  child.once('exit', () => {
    starting = false
    start()
  })
  child.kill('SIGTERM')
}
