import { spawn, type ChildProcess } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { root } from './sources.ts'

/**
 * `npm run dev`: the server with Vite inside, so that screens change in the browser as they are saved; a change below a
 * `server/` folder, `kit/server`, a contract or a migration starts the server anew. (`node --watch` would loop on
 * Vite's temporary files.)
 */
let child: ChildProcess | null = null
let timer: NodeJS.Timeout | undefined
let stopping = false

start()
for (const folder of ['src', 'migrations']) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!file || !isServerFile(file)) return
    clearTimeout(timer)
    timer = setTimeout(restart, 150)
  })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping = true
    child?.kill(signal)
  })
}

function isServerFile(file: string): boolean {
  if (/\.(test|e2e)\.ts$/.test(file)) return false
  return (
    file.endsWith('.sql') ||
    /(^|\/)server\/.*\.ts$|contract\.ts$|^app\/[a-z-]+\.ts$|^kit\/shared\//.test(file.replaceAll('\\', '/'))
  )
}

function start() {
  child = spawn(process.execPath, ['src/app/main.ts', '--dev'], { cwd: root, stdio: 'inherit' })
  child.on('exit', (code) => {
    child = null
    if (stopping) process.exit(code ?? 0)
  })
}

function restart() {
  process.stdout.write('\nServer code changed: starting anew …\n')
  if (!child) return start()
  child.once('exit', start)
  child.kill('SIGTERM')
}
