import { basename, resolve } from 'node:path'
import { fillOpenings } from '../businesses/server/businesses.ts'
import { importBusinesses } from '../businesses/server/import-businesses.ts'
import { merchantReader } from '../businesses/server/importing.ts'
import type { MerchantFile } from '../businesses/server/read-merchants.ts'
import { eventChangesJob } from '../events/server/events.ts'
import { importSchedule } from '../events/server/import-schedule.ts'
import { speaker } from '../kit/server/import-text.ts'
import { tableFields } from '../events/limits.ts'
import type { ReadingOptions } from '../events/server/import/schedule-item.ts'
import { isZone } from '../events/server/import/read-times.ts'
import { readScheduleFile } from '../events/server/import/read-schedule.ts'
import { systemClock } from '../kit/server/clock.ts'
import type { Database } from '../kit/server/database.ts'
import { readForeignFile } from '../kit/server/foreign-file.ts'
import { isMigrated, migrate } from '../kit/server/migrate.ts'
import { readInThread } from '../kit/server/read-in-thread.ts'
import { UnreadableFile } from '../kit/server/unreadable-file.ts'
import { importPlaces } from '../places/server/import-places.ts'
import { placeReader } from '../places/server/importing.ts'
import type { PlaceFile } from '../places/server/read-places.ts'
import { farNote, TooFarAway } from '../staff/server/far-away.ts'
import type { ListOptions, ListOutcome } from '../staff/server/import-list.ts'
import { importReportLines } from '../staff/server/import-report.ts'
import { command } from '../staff/server/staff.ts'
import { afterwards, messageOf, Misuse, queues, runCommand, withDatabase, type CommandResult } from './command.ts'
import type { Config } from './config.ts'

const usage = `npm run import -- businesses FILE [--dry-run] [--source NAME] [--canton ZH] [--far]
npm run import -- events FILE [--dry-run] [--source NAME] [--zone Europe/Zurich] [--columns LIST] [--day-order day-first]
npm run import -- places FILE [--dry-run] [--source NAME] [--far]

"businesses" takes merchants from GeoJSON, Excel or CSV. They appear unclaimed, without login and deals. "events" takes
a programme from schedule XML or JSON (frab, pretalx, c3voc), iCalendar, Excel or CSV. "places" takes toilets, drinking water,
first aid and step-free ways from GeoJSON, Excel or CSV (kind, name, latitude, longitude). A second run changes nothing.
Staff can undo an import in /admin/log.

  --dry-run      says what would happen and writes nothing
  --source NAME  the list that the rows come from; ids are unique within it (letters, digits, . _ -)
  --far          imports places farther than 50 km from the festival too
  --zone NAME    zone of times of a programme that say none; else that of the festival
  --columns LIST of a programme's table: "Heading=field, …" where the headings are not understood. The fields are
                 id, title, subtitle, start, date, end, end_date, duration, stage, description, category, performers,
                 languages, latitude, longitude, status
  --day-order    day-first or month-first, of dates such as 03/04/2026 where the file does not tell
  --canton ZH    decides the public holidays of all rows; else the postcode does, and where it cannot, BS

Ends with 0 when the file was read, also when rows of it were refused; with 2 when nothing of it can be taken;
with 1 when something else is wrong (the command, the configuration, the database). With 1 and 2 nothing is changed.
`
const cantons = 'AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH'.split(' ')

/** Larger files are refused before they are read; the list of a whole country has a tenth of this. */
const listMaxMb = 64
/** Opening hours take a millisecond each. */
const listMaxS = 60

await runCommand({
  name: 'import',
  usage,
  options: {
    'dry-run': { type: 'boolean' },
    source: { type: 'string' },
    canton: { type: 'string' },
    zone: { type: 'string' },
    far: { type: 'boolean' },
    columns: { type: 'string' },
    'day-order': { type: 'string' },
  },
  readTask,
  carryOut,
  failed(error, isMisuse) {
    if (error instanceof UnreadableFile)
      return {
        exitCode: 2,
        complaint: `${error.message} Nothing was imported.`,
        lines: ['0 read, 0 new, 0 changed, 0 same, 0 refused'],
      }
    return { exitCode: 1, complaint: isMisuse ? messageOf(error) : `Nothing was imported: ${messageOf(error)}` }
  },
})

interface ImportTask {
  what: 'businesses' | 'events' | 'places'
  path: string
  reading: Omit<ReadingOptions, 'name' | 'zone'> & { zone?: string }
  dryRun: boolean
  far: boolean
  source: string | undefined
  canton: string | undefined
}

interface Given {
  values: {
    'dry-run'?: boolean
    source?: string
    canton?: string
    zone?: string
    columns?: string
    'day-order'?: string
    far?: boolean
  }
  positionals: string[]
}

function readTask({ values, positionals }: Given): ImportTask {
  const [what, path, ...rest] = positionals
  if (what !== 'businesses' && what !== 'events' && what !== 'places')
    throw new Misuse(`${what ? `"${what}" cannot be imported` : 'Say what to import'}.\n\n${usage}`)
  if (!path || rest.length > 0) throw new Misuse(`Name one file.\n\n${usage}`)
  const canton = values.canton?.toUpperCase()
  if (canton !== undefined && !cantons.includes(canton))
    throw new Misuse(`--canton must be one of ${cantons.join(', ')}.`)
  if (values.source !== undefined && !/^[a-z0-9][a-z0-9._-]{0,39}$/i.test(values.source))
    throw new Misuse('--source must be 1 to 40 letters, digits, dots, underscores or hyphens.')
  if (values.zone !== undefined && !isZone(values.zone)) throw new Misuse(`--zone ${values.zone} is no known zone.`)
  const dayOrder = values['day-order']
  if (dayOrder !== undefined && dayOrder !== 'day-first' && dayOrder !== 'month-first')
    throw new Misuse('--day-order must be day-first or month-first.')
  const reading: ImportTask['reading'] = {
    ...(values.zone === undefined ? {} : { zone: values.zone }),
    ...(values.columns === undefined ? {} : { columns: readColumns(values.columns) }),
    ...(dayOrder === undefined ? {} : { dayOrder }),
  }
  return {
    what,
    path,
    reading,
    dryRun: values['dry-run'] ?? false,
    far: values.far ?? false,
    source: values.source,
    canton,
  }
}

/** "Was=title, Wann=start" as fields by heading. */
function readColumns(list: string): Record<string, string> {
  const pairs = list.split(',').map((pair) => pair.split('=').map((part) => part.trim()))
  const odd = pairs.find(([heading, field]) => !heading || !tableFields.some((each) => each === field))
  if (odd)
    throw new Misuse(`--columns: "${odd.join('=')}" is no "Heading=field". Fields are ${tableFields.join(', ')}.`)
  return Object.fromEntries(pairs)
}

async function carryOut(config: Config, task: ImportTask): Promise<CommandResult> {
  try {
    return await carryOutTask(config, task)
  } catch (error) {
    if (!(error instanceof TooFarAway)) throw error
    const far = (await englishSpeaker())(farNote(error.far))
    throw new Misuse(`Nothing was imported: ${far} If that is right, say --far.`)
  }
}

async function carryOutTask(config: Config, task: ImportTask): Promise<CommandResult> {
  const path = resolve(process.env['INIT_CWD'] ?? '.', task.path) // npm starts us in the package's folder
  if (task.what === 'events') return carryOutEvents(config, path, task)
  return task.what === 'places' ? carryOutPlaces(config, path, task) : carryOutBusinesses(config, path, task)
}

/** The end of an import. `lines`: those of its report, with the counts last. */
function resultOf(
  counts: { read: number; refused: number },
  heading: string[],
  lines: string[],
  dryRun: boolean,
): CommandResult {
  const isDry = dryRun ? ['Dry run: nothing was written.'] : []
  return {
    exitCode: counts.refused === counts.read ? 2 : 0,
    lines: [...heading, ...lines.slice(0, -1), ...isDry, lines.at(-1)!],
  }
}

async function carryOutEvents(
  config: Config,
  path: string,
  { reading, dryRun, source }: ImportTask,
): Promise<CommandResult> {
  const { zone, days } = config.festival
  const file = await readScheduleFile(path, {
    zone,
    lastDay: days?.end ?? null,
    festival: days,
    year: systemClock.now().toZonedDateTimeISO(zone).year,
    ...reading,
  })
  if (file.table?.unclear_date)
    throw new UnreadableFile(
      `The date "${file.table.unclear_date}" can be read in two ways: add --day-order day-first or month-first.`,
    )
  const report = await withDatabase(config, async ({ db }, undo) => {
    await readyDatabase(db, dryRun)
    const jobs = await queues(db, config, undo, [eventChangesJob])
    const services = { db, clock: systemClock, zone: config.festival.zone, jobs }
    return importSchedule(services, { file, fileName: basename(path), dryRun, source, actor: command })
  })
  const name = `${basename(path)}: ${file.format}, source ${source ?? file.source}, ${file.read} events`
  const speak = await englishSpeaker()
  return resultOf(report.counts, [name, ...file.notes.map(speak)], importReportLines(report, speak), dryRun)
}

async function readList<File>(reader: URL, path: string, { source, canton }: ImportTask): Promise<File> {
  const bytes = await readForeignFile(path, listMaxMb)
  return readInThread<unknown, File>(reader, {
    bytes,
    options: { source, canton, fileName: basename(path) },
    maxS: listMaxS,
  })
}

/** Imports beside a running server or without one. Changes nothing when it throws. */
async function carryOutBusinesses(config: Config, path: string, task: ImportTask): Promise<CommandResult> {
  const file = await readList<MerchantFile>(merchantReader, path, task)
  const outcome = await withDatabase(config, async ({ db }) => {
    await readyDatabase(db, task.dryRun)
    const services = { db, clock: systemClock, centre: config.festival }
    const done = await importBusinesses(services, file, optionsOf(task))
    if (!task.dryRun)
      await afterwards('The openings are not filled; the site does it at its next start or at night', () =>
        fillOpenings(services),
      )
    return done
  })
  return listResult(path, file, outcome, task)
}

async function carryOutPlaces(config: Config, path: string, task: ImportTask): Promise<CommandResult> {
  const file = await readList<PlaceFile>(placeReader, path, task)
  const outcome = await withDatabase(config, async ({ db }) => {
    await readyDatabase(db, task.dryRun)
    return importPlaces({ db, clock: systemClock, centre: config.festival }, file, optionsOf(task))
  })
  return listResult(path, file, outcome, task)
}

function optionsOf({ dryRun, far }: ImportTask): ListOptions {
  return { dryRun, far, actor: command }
}

async function listResult(
  path: string,
  { format, source, read }: Pick<MerchantFile, 'format' | 'source' | 'read'>,
  outcome: ListOutcome,
  { dryRun }: ImportTask,
): Promise<CommandResult> {
  const heading = `${basename(path)}: ${format}, source ${source}, ${read} rows`
  return resultOf(outcome.counts, [heading], importReportLines(outcome, await englishSpeaker()), dryRun)
}

/** Imported here, because the texts load all rooms, which a mistake in the arguments does not need. */
async function englishSpeaker() {
  const { texts } = await import('./server/texts.ts')
  return speaker(texts, 'en')
}

/**
 * Migrates the database; in a dry run only an empty one.
 * @throws Misuse when a dry run would have to migrate a database in use
 */
async function readyDatabase(db: Database, dryRun: boolean): Promise<void> {
  const state = await isMigrated(db).catch(() => 'empty' as const)
  if (dryRun && state === false)
    throw new Misuse(
      'The database has an older schema: start the site once ("npm start"), or import without --dry-run.',
    )
  if (state !== true) await migrate(db)
}
