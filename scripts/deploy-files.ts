import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { BadSite, writeMachines } from './machine-files.ts'

/**
 * `npm run deploy:files -- SITE OUT`: writes the files of deploy/ for every machine of a site, below OUT/<machine>/.
 * deploy/site.env.example shows what a SITE contains.
 */
const [site, out] = process.argv.slice(2)
const isAskingForHelp = site === '--help' || site === '-h'
if (!site || !out || isAskingForHelp) {
  const usage =
    'npm run deploy:files -- SITE OUT\n\nSITE: a filled-in copy of deploy/site.env.example; OUT: a new folder.'
  if (isAskingForHelp) console.log(usage)
  else console.error(usage)
  process.exit(isAskingForHelp ? 0 : 1)
}
// npm starts us in the package's folder
const path = (given: string) => resolve(process.env['INIT_CWD'] ?? '.', given)
try {
  if (!existsSync(path(site)))
    throw new BadSite(`There is no file ${path(site)}: copy deploy/site.env.example and fill it in.`)
  const values = parseEnv(readFileSync(path(site), 'utf8')) as Record<string, string>
  for (const { name, address, files } of writeMachines(values, path(out)))
    console.log(`${name} (${address}): ${files.length} files`)
} catch (error) {
  if (!(error instanceof BadSite) && (error as NodeJS.ErrnoException).code === undefined) throw error
  console.error((error as Error).message)
  process.exitCode = 1
}
