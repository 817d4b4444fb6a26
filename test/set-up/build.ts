import { execFileSync } from 'node:child_process'

/** The screens, built where a source has changed since. */
export default function setup() {
  // while working on the server alone, the screens may stay as they are
  if (!process.env['TEST_WITHOUT_BUILD'])
    execFileSync(process.execPath, ['scripts/build.ts', '--if-stale'], { stdio: 'inherit' })
}
