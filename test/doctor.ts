import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The output of `npm run doctor` with these settings, whether it passes or not. */
export async function askDoctor(env: Record<string, string>): Promise<string> {
  const asked = promisify(execFile)(process.execPath, ['scripts/doctor.ts'], {
    env: { ...process.env, PORT: '0', ...env },
  })
  return (await asked.catch((error: unknown) => error as { stdout: string })).stdout
}
