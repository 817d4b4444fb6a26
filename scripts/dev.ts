import { spawn, type ChildProcess } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { root } from './sources.ts'

/**
 * `npm run dev`: runs the server with Vite, so that saved screens change in the browser. Changes of server files (rules, contracts,
 * shared code, migrations, texts) restart it. Not with `node --watch`, which would restart for ever because of Vite's
 * temporary files.
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
    // a terminal sends SIGINT to the server too, and a second SIGINT would end it at once
    if (child) child.kill('SIGTERM')
    else process.exit(0)
  })
}

/** Whether a file runs on the server. */
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
  // already restarting: the next server reads the changed file anyway
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
