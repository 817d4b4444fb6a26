import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What `npm run doctor` says with these settings, whether it finds all well or not. */
export async function askDoctor(env: Record<string, string>): Promise<string> {
  const asked = promisify(execFile)(process.execPath, ['scripts/doctor.ts'], {
    env: { ...process.env, PORT: '0', ...env },
  })
  return (await asked.catch((error: unknown) => error as { stdout: string })).stdout
}
