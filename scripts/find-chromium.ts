import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Path of the first Chromium that exists: CHROME_PATH, Debian's, the system's; null: none. */
export function presentChromium(): string | null {
  const known = [
    process.env['CHROME_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  return known.find((path) => path && existsSync(path)) ?? null
}

/** Path of Chromium without windows and profiles, which needs half the CPU to open a page (decision 56); null: not installed. */
export function presentHeadlessShell(): string | null {
  const path = '/usr/bin/chromium-headless-shell'
  return existsSync(path) ? path : null
}

/** With fonts-liberation, because a story compares our font with Arial. */
const packages = ['chromium', 'chromium-headless-shell', 'fonts-liberation']

/**
 * Path of a Chromium for browser stories. Installs Debian's package if there is none and apt-get may be used (as root). null: there is
 * none, which is printed to stderr.
 */
export function findChromium(): string | null {
  const found = presentChromium()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stderr.write("No Chromium here: installing Debian's …\n")
    try {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore', timeout: 180_000 })
      execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
        env,
        stdio: 'ignore',
        timeout: 420_000,
      })
    } catch {
      // reported below
    }
    if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium'
  }
  process.stderr.write(
    'No Chromium found: set CHROME_PATH, or install Debian\'s package "chromium". Browser stories are skipped.\n',
  )
  return null
}
