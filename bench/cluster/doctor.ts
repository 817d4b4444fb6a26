import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Cluster } from './site.ts'

const root = new URL('../..', import.meta.url).pathname
const withSettings = 'set -a; . "$1"; . "$2"; exec "$3" scripts/doctor.ts'

/** What `npm run doctor` says on the first app machine, with its settings. */
export async function askDoctor({ apps }: Cluster): Promise<string[]> {
  const settings = join(apps[0]!.root, 'etc/rheinklang')
  const args = ['-c', withSettings, '-', join(settings, 'app.env'), join(settings, 'own.env'), process.execPath]
  const { stdout } = await promisify(execFile)('/bin/bash', args, { cwd: root, timeout: 60_000 }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout.trim().split('\n')
}
