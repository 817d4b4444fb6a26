import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** CHROME_PATH, Debian's, a Chrome of the system: whichever is there. */
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

/**
 * Chromium's engine without windows and profiles, which take half of the CPU of a page that is opened (decision 56); null where it is
 * not installed.
 */
export function presentHeadlessShell(): string | null {
  const path = '/usr/bin/chromium-headless-shell'
  return existsSync(path) ? path : null
}

/** A story measures our type beside Arial, which Debian has as Liberation Sans. */
const packages = ['chromium', 'chromium-headless-shell', 'fonts-liberation']

/**
 * A Chromium for the browser stories; where there is none Debian's package is installed if that is possible (root with
 * apt-get). Null, with the reason on stderr, when there is none in the end.
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
