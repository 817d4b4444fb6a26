import { execFile } from 'node:child_process'
import { it } from 'vitest'

const bin = (name: string) => `node_modules/.bin/${name}`

/** Runs a program to its end. @throws with what it printed, where it fails */
function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}\n${stderr}`.trim()))
      else resolve()
    })
  })
}

it('types and lint are clean', async () => {
  // the types of routes first, for the others read them
  await run(bin('react-router'), ['typegen'])
  await run(bin('oxlint'), ['--disable-nested-config', '--type-aware', '--type-check', '--deny-warnings', '.'])
})

it('every file is formatted', () => run(bin('prettier'), ['--check', '--log-level', 'warn', '.']))

it('the database types are those of the migrations', () =>
  run(process.execPath, ['scripts/generate-types.ts', '--check']))
