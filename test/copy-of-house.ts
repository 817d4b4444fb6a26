import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const root = join(import.meta.dirname, '..')

/** Copies the repository, without the folders in `without`, to a new folder. Delete it with `remove`. */
export function copyOfHouse(name: string, without: RegExp) {
  const copy = mkdtempSync(join(tmpdir(), `rheinklang-${name}-`))
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files.split('\0')) if (file && !without.test(file)) cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  /** Runs a program in the copy. @returns what it prints when it fails; '' when it passes */
  const run = (program: string, ...args: string[]): Promise<string> =>
    promisify(execFile)(program, args, { cwd: copy }).then(
      () => '',
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
    )
  return {
    copy,
    run,
    /** `run` for a program of the installed packages. */
    bin: (command: string, ...args: string[]) => run(join(root, 'node_modules/.bin', command), ...args),
    remove: () => rmSync(copy, { recursive: true, force: true }),
  }
}
