import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import './built-pages.ts'
import { quickFolder } from './quick-folder.ts'

/** A folder like a release after `npm ci --omit=dev`: links to these files, without development packages. */
function productionInstall(): string {
  const folder = mkdtempSync(join(quickFolder(), 'rheinklang-production-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const link = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(resolve(path), join(folder, path))
  }
  for (const path of [
    'build',
    'demo',
    'messages',
    'migrations',
    'package-lock.json',
    'package.json',
    'public',
    'react-router.config.ts',
    'scripts',
    'src',
    'vite.config.ts',
  ])
    link(path)
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  for (const [path, { dev }] of Object.entries(packages))
    if (/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev) link(path)
  return folder
}

it.each([
  ['npm start builds nothing, and', ['scripts/build.ts', '--if-stale'], /^$/],
  ['the server', ['build/app/main.mjs', '--load-only'], /^$/],
  ['npm run staff', ['build/app/staff.mjs'], 'Say what to do.'],
  ['npm run import', ['build/app/import.mjs'], 'Say what to import.'],
  ['npm run stripe:setup', ['build/app/stripe-setup.mjs'], 'STRIPE_SECRET_KEY'],
  ['npm run payments:check', ['build/app/payments-check.mjs'], 'There is no payment provider'],
  ['npm run restore:deletions', ['build/app/restore-deletions.mjs'], 'cannot be reached'],
  ['what the doctor tries of a start', ['build/app/dry-start.mjs'], /^$/],
  ['npm run doctor', ['scripts/doctor.ts'], 'The screens are built and up to date'],
])('%s needs no development package', async (_name, command, expected) => {
  const folder = productionInstall()
  const run = spawn(process.execPath, command, {
    cwd: folder,
    // resolve packages from the link, not from its target
    env: {
      ...process.env,
      NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main',
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      DATA_DIR: join(folder, 'data'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (output += chunk))
  await once(run, 'close')
  expect(output).not.toMatch(/Cannot find|ERR_|^\s+at /m)
  expect(output).toMatch(expected)
})
