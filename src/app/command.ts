import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { prepareDataFolder } from '../kit/server/data-folder.ts'
import { openDatabase, type Database, type DatabaseAddress, type Opened } from '../kit/server/database.ts'
import { attachOrStartEmbeddedPostgres } from '../kit/server/embedded-postgres.ts'
import { startJobs, type Jobs } from '../kit/server/jobs.ts'
import { ConfigError, configFromEnvironment, ownOrigin, type Config } from './config.ts'
import { reachDatabase, sentenceOfNewDatabase } from './start-faults.ts'

/** A mistake in how the command was called, shown without a stack. */
export class Misuse extends Error {}

/** The end of a command. `complaint` goes to stderr, then `lines` to stdout. */
export interface CommandResult {
  exitCode: number
  complaint?: string
  lines?: string[]
}

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: Options }>
>

export interface Command<Options extends ParseArgsOptionsConfig, Task> {
  /** As in `npm run NAME`. */
  name: string
  usage: string
  options: Options
  /** @throws Misuse for arguments that make no sense */
  readTask(given: Parsed<Options>): Task
  carryOut(config: Config, task: Task): Promise<CommandResult>
  /** Puts any error into words. `isMisuse`: the arguments or the configuration are wrong. Default: its message, with 2 or 1. */
  failed?(error: unknown, isMisuse: boolean): CommandResult
}

/** Runs a command: answers `--help`, reads its task and the configuration, carries it out and sets the exit code. */
export async function runCommand<const Options extends ParseArgsOptionsConfig, Task>(
  command: Command<Options, Task>,
): Promise<void> {
  if (typeof Temporal === 'undefined') {
    process.stderr.write(
      `Rheinklang needs Node 26 or later and found ${process.version}. Use "npm run ${command.name}".\n`,
    )
    process.exit(1)
  }
  const { exitCode, complaint, lines } = await resultOf(command)
  if (complaint !== undefined) process.stderr.write(`${complaint}\n`)
  if (lines) process.stdout.write(`${lines.join('\n')}\n`)
  process.exitCode = exitCode
}

async function resultOf<Options extends ParseArgsOptionsConfig, Task>(
  command: Command<Options, Task>,
): Promise<CommandResult> {
  try {
    const given = parse(process.argv.slice(2), command)
    if (!given) return { exitCode: 0, lines: [command.usage.trimEnd()] }
    const task = command.readTask(given)
    return await command.carryOut(configFromEnvironment(), task)
  } catch (error) {
    const isMisuse = error instanceof Misuse || error instanceof ConfigError
    return command.failed?.(error, isMisuse) ?? { exitCode: isMisuse ? 2 : 1, complaint: messageOf(error) }
  }
}

/**
 * The arguments; null: `--help`.
 * @throws Misuse for unknown ones
 */
function parse<Options extends ParseArgsOptionsConfig>(
  args: string[],
  { options, usage }: { options: Options; usage: string },
): Parsed<Options> | null {
  try {
    const given = parseArgs({
      args,
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
    return (given.values as { help?: boolean }).help ? null : (given as Parsed<Options>)
  } catch (error) {
    // without Node's advice on files whose name begins with a dash
    throw new Misuse(`${(error as Error).message.split('. To specify')[0]!.replace(/\.$/, '')}.\n\n${usage}`)
  }
}

/**
 * Gives `work` a database: DATABASE_URL, else the running server of the data folder, else one that is started for the command. Steps
 * that `work` pushes to `undo` run first at the end. Faults while closing are printed, not thrown, since the work is done.
 */
export async function withDatabase<Result>(
  config: Config,
  work: (
    database: Opened & { address: DatabaseAddress },
    undo: (() => Promise<unknown>)[],
    /** Where people reach the site, for links. */
    origin: string,
  ) => Promise<Result>,
): Promise<Result> {
  const undo: (() => Promise<unknown>)[] = []
  try {
    const { address, origin } = await findDatabase(config, undo)
    const database = openDatabase(address, { maxConnections: 3, patient: true })
    undo.push(() => database.db.destroy())
    ;(await reachDatabase(database.pool, config)).release()
    return await work({ ...database, address }, undo, config.publicUrl ?? origin ?? ownOrigin(config))
  } finally {
    for (const step of undo.reverse()) await afterwards('The database was not closed cleanly', step)
  }
}

/** `origin`: that of the running server, which may listen on another port than this environment says; null: unknown. */
async function findDatabase(
  config: Config,
  undo: (() => Promise<unknown>)[],
): Promise<{ address: DatabaseAddress; origin: string | null }> {
  const url = config.databaseDirectUrl ?? config.databaseUrl
  if (url) return { address: { connectionString: url }, origin: null }
  prepareDataFolder(config.dataDir)
  const isNew = sentenceOfNewDatabase(config)
  if (isNew) process.stderr.write(`${isNew}\n`)
  const embedded = await attachOrStartEmbeddedPostgres({ dataDir: config.dataDir })
  undo.push(() => embedded.stop())
  return { address: embedded.connection, origin: embedded.origin }
}

/** `readTask` of a command that takes no arguments. */
export const noArguments =
  (usage: string) =>
  ({ positionals }: { positionals: string[] }): null => {
    if (positionals.length > 0) throw new Misuse(usage)
    return null
  }

/** The job queue of a command: the server works off what it enqueues. `names`: queues that may not exist yet. */
export async function queues(
  db: Database,
  { festival }: Config,
  undo: (() => Promise<unknown>)[],
  names: string[] = [],
): Promise<Jobs> {
  const jobs = await startJobs(db, () => ({}), { zone: festival.zone, log: () => {}, queues: names })
  undo.push(() => jobs.stop())
  return jobs
}

/** Runs a step whose failure is only printed, since the work before it stays valid. */
export async function afterwards(failure: string, step: () => Promise<unknown>) {
  try {
    await step()
  } catch (error) {
    process.stderr.write(`${failure}: ${messageOf(error)}\n`)
  }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
