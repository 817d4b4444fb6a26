import { execFile } from 'node:child_process'
import { it } from 'vitest'

const bin = (name: string) => `node_modules/.bin/${name}`

/** Runs a program to its end. @throws Error with its output, when it fails */
function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}\n${stderr}`.trim()))
      else resolve()
    })
  })
}

it('types and lint are clean', async () => {
  // first the types of routes, which the others import
  await run(bin('react-router'), ['typegen'])
  await run(bin('oxlint'), ['--disable-nested-config', '--type-aware', '--type-check', '--deny-warnings', '.'])
})

it('every file is formatted', () => run(bin('prettier'), ['--check', '--log-level', 'warn', '.']))

it('the database types match the migrations', () => run(process.execPath, ['scripts/generate-types.ts', '--check']))
