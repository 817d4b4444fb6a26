import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fillOpenings } from '../businesses/server/businesses.ts'
import {
  importBusinesses,
  reportLines,
  type ImportOptions,
  type ImportReport,
} from '../businesses/server/import-businesses.ts'
import { readImportFile, UnreadableFile, type ImportFile } from '../businesses/server/import-file.ts'
import { systemClock } from '../kit/server/clock.ts'
import { openDatabase } from '../kit/server/database.ts'
import { isMigrated, migrate } from '../kit/server/migrate.ts'
import { databaseAddressForCommand } from './command.ts'
import { ConfigError, readConfig, type Config } from './config.ts'

const usage = `npm run import -- businesses FILE [--dry-run] [--source NAME] [--canton ZH]

Takes merchants from a GeoJSON or CSV file. They appear unclaimed, without login and deals. A second run changes nothing.

  --dry-run      says what would happen and writes no merchant
  --source NAME  the list that the rows come from; ids are unique within it (letters, digits, . _ -)
  --canton ZH    decides the public holidays of all rows; else the postcode does, and where it cannot, BS

Ends with 0 when the file was read, also when rows of it were refused; with 2 when nothing of it can be taken;
with 1 when something else is wrong (the command, the configuration, the database). With 1 and 2 nothing is changed.
`
const cantons = 'AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH'.split(' ')

/** What the person at the keyboard can put right; shown without a stack. */
class Misuse extends Error {}

if (typeof Temporal === 'undefined') {
  process.stderr.write(`Rheinklang needs Node 26 or later and found ${process.version}. Use "npm run import".\n`)
  process.exit(1)
}
process.exitCode = await run(process.argv.slice(2))

async function run(args: string[]): Promise<number> {
  try {
    const wish = readWish(args)
    if (!wish) {
      process.stdout.write(usage)
      return 0
    }
    const config = configFromEnvironment()
    const file = await readImportFile(resolve(process.env['INIT_CWD'] ?? '.', wish.path)) // npm starts us in the package's folder
    const report = await importInto(config, file, wish.options)
    const name = `${basename(wish.path)}: ${file.format}, ${file.rows.length} rows`
    const lines = reportLines(report)
    const isDry = wish.options.dryRun ? ['Dry run: nothing was written.'] : []
    print([name, ...file.notes, ...lines.slice(0, -1), ...isDry, lines.at(-1)!])
    return report.counts.refused === report.counts.read ? 2 : 0
  } catch (error) {
    if (error instanceof UnreadableFile) {
      process.stderr.write(`${error.message} Nothing was imported.\n`)
      print(['0 read, 0 new, 0 changed, 0 same, 0 refused'])
      return 2
    }
    const isExpected = error instanceof Misuse || error instanceof ConfigError
    process.stderr.write(
      isExpected
        ? `${error.message}\n`
        : `Nothing was imported: ${error instanceof Error ? error.message : String(error)}\n`,
    )
    return 1
  }
}

function print(lines: string[]) {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** null: help was asked for. */
function readWish(args: string[]): { path: string; options: ImportOptions } | null {
  const { values, positionals } = parse(args)
  if (values.help) return null
  const [what, path, ...rest] = positionals
  if (what !== 'businesses')
    throw new Misuse(`${what ? `"${what}" cannot be imported` : 'Say what to import'}.\n\n${usage}`)
  if (!path || rest.length > 0) throw new Misuse(`Name one file.\n\n${usage}`)
  const canton = values.canton?.toUpperCase()
  if (canton !== undefined && !cantons.includes(canton))
    throw new Misuse(`--canton must be one of ${cantons.join(', ')}.`)
  if (values.source !== undefined && !/^[a-z0-9][a-z0-9._-]{0,39}$/i.test(values.source))
    throw new Misuse('--source must be 1 to 40 letters, digits, dots, underscores or hyphens.')
  return { path, options: { dryRun: values['dry-run'], source: values.source, canton } }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean' },
        source: { type: 'string' },
        canton: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new Misuse(`${(error as Error).message}\n\n${usage}`)
  }
}

function configFromEnvironment(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return readConfig(process.env, process.cwd())
}

/** Beside a running server or without one. What throws has changed nothing. */
async function importInto(config: Config, file: ImportFile, options: ImportOptions): Promise<ImportReport> {
  const undo: (() => Promise<unknown>)[] = []
  try {
    const { db } = openDatabase(await databaseAddressForCommand(config, undo), { maxConnections: 2 })
    undo.push(() => db.destroy())
    // an empty database is made ready for a dry run as well; one in use is left as it is
    const state = await isMigrated(db).catch(() => 'empty' as const)
    if (options.dryRun && state === false)
      throw new Misuse(
        'The database has an older schema: start the site once ("npm start"), or import without --dry-run.',
      )
    if (state !== true) await migrate(db)
    const room = { db, clock: systemClock }
    const report = await importBusinesses(room, file, options)
    if (!options.dryRun)
      await afterwards('The openings are not filled; the site does it at its next start or at night', () =>
        fillOpenings(room),
      )
    return report
  } finally {
    for (const step of undo.reverse()) await afterwards('The database was not closed cleanly', step)
  }
}

async function afterwards(failure: string, step: () => Promise<unknown>) {
  try {
    await step()
  } catch (error) {
    process.stderr.write(`${failure}: ${error instanceof Error ? error.message : String(error)}\n`)
  }
}
