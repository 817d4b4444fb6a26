import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  ConfigError,
  configFromEnvironment,
  givesAwayInPublic,
  isPublic,
  usesDataFolder,
  storesUploadsLocally,
  secretPlaceOf,
  type Config,
} from '../src/app/config.ts'
import { messageOf, withDatabase } from '../src/app/command.ts'
import type * as DryStart from '../src/app/dry-start.ts'
import { instancesSeen, versionHere } from '../src/app/instances.ts'
import { cannotListen, refuseUnfit } from '../src/app/start-faults.ts'
import { strangeSettings } from '../src/app/strange-settings.ts'
import type { Pool } from 'pg'
import { openDatabase, type DatabaseAddress } from '../src/kit/server/database.ts'
import { faultOfSecret } from '../src/kit/server/keyring.ts'
import { findMark, leaveMark } from '../src/kit/server/replicas.ts'
import { prepareDataFolder } from '../src/kit/server/data-folder.ts'
import { troubleWithMail } from '../src/kit/server/mailer.ts'
import { isMigrated } from '../src/kit/server/migrate.ts'
import { createFileStore, FilesUnavailable, newFileName, type S3Place } from '../src/kit/server/uploads.ts'
import { openMap } from '../src/map/server/map.ts'
import { presentChromium } from './find-chromium.ts'
import { root, sourcesHash } from './sources.ts'

/** Space for the database and its log, without uploads and backups. */
const leastFreeMb = 500
/** How much clocks may differ. */
const clockMs = 1_000
const mapMs = 5_000
/** The app sends no reads to a replica that is further behind. */
const lagMs = 2_500
/** File with the hash of the sources that the build was made from. */
const stamp = join(root, 'build', 'sources')
/** PostgreSQL's code for a missing table: the table of marks, before the first migration. */
const noTable = '42P01'

const usage =
  'npm run doctor looks at everything the site needs on this machine and says what is wrong. It takes no arguments.'
if (process.argv.length > 2) {
  const isHelp = ['--help', '-h'].includes(process.argv[2]!)
  console[isHelp ? 'log' : 'error'](usage)
  process.exit(isHelp ? 0 : 2)
}

/** `npm run doctor`: checks everything that the site needs on this machine and says what is wrong. */
let faults = 0
const say = (good: boolean | null, text: string) => {
  if (good === false) faults++
  console.log(`${good === null ? '·' : good ? '✓' : '✗'} ${text}`)
}

say(
  Number(process.versions.node.split('.')[0]) >= 26,
  `Node ${process.versions.node} (26 or later is pinned; npm brings it along)`,
)

const config = configOrNull()
if (config) {
  const isFolderFit = await checkFolder(config)
  await checkPort(config)
  checkBuild()
  const isOutOfReach = !isFolderFit && !config.databaseUrl
  if (isOutOfReach) say(null, 'The database in it was not looked at')
  const isReached = !isOutOfReach && (await checkDatabase(config))
  if (isReached && config.databaseUrl) await checkCluster({ ...config, databaseUrl: config.databaseUrl })
  if (config.s3) await checkBucket(config.s3)
  else if (storesUploadsLocally(config))
    say(
      null,
      `Uploads lie in ${join(config.dataDir, 'uploads')}, on this machine only; other instances need S3_… for them`,
    )
  if (givesAwayInPublic(config))
    say(null, 'Payments are those of the test provider: merchants pay nothing; STRIPE_… make them real')
  await checkMap(config)
  if (config.smtpUrl) await checkMail(config.smtpUrl)
  else say(null, `Mail leaves as files in ${join(config.dataDir, 'mail')} (SMTP_URL is not set)`)
}
say(null, `Browser for the tests: ${presentChromium() ?? 'none yet; npm test installs one where it may'}`)
console.log(faults === 0 ? '\nAll well.' : `\n${faults} thing${faults === 1 ? '' : 's'} to mend.`)
process.exitCode = faults === 0 ? 0 : 1

function configOrNull(): Config | null {
  try {
    const config = configFromEnvironment()
    say(true, 'The configuration is complete and free of contradictions')
    for (const sentence of strangeSettings(process.env)) say(false, sentence)
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const line of error.message.split('\n')) say(false, line)
    return null
  }
}

/** Checks and reports. False: the folder cannot be used. */
async function checkFolder(config: Config): Promise<boolean> {
  const { dataDir } = config
  if (!usesDataFolder(config)) {
    say(null, 'Nothing is kept in the data folder')
    return true
  }
  try {
    prepareDataFolder(dataDir)
    const { bavail, bsize } = await statfs(dataDir)
    const freeMb = Math.round((bavail * bsize) / 1e6)
    const isEnough = freeMb > leastFreeMb
    say(isEnough, `Data folder ${dataDir}: writable, ${freeMb} MB free${isEnough ? '' : `, of ${leastFreeMb} needed`}`)
    return true
  } catch (error) {
    say(false, (error as Error).message)
    return false
  }
}

async function checkPort(config: Config) {
  const { host, port } = config
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen(port, host, () => probe.close(() => resolve(null)))
  })
  if (!error) say(true, `Port ${port} is free`)
  else if (error.code === 'EADDRINUSE') say(null, `Port ${port} is in use (by Rheinklang itself, if it runs)`)
  else say(false, cannotListen(config, error).message)
}

function checkBuild() {
  if (isBuilt()) say(true, 'The screens are built and up to date')
  else if (!existsSync(stamp)) say(null, 'The screens are not built yet; npm start builds them')
  else say(true, 'The screens are older than their sources; npm start builds them anew')
}

function isBuilt(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesHash()
}

/** Checks and reports. False: the database cannot be reached. */
async function checkDatabase(config: Config): Promise<boolean> {
  let isReached = false
  try {
    await withDatabase(config, async ({ db, pool, address }) => {
      isReached = true
      const { rows } = await pool.query<{ version: string; number: number }>(
        "select version(), current_setting('server_version_num')::int as number",
      )
      say(
        rows[0]!.number >= 150_000,
        `Database: ${rows[0]!.version.split(' ').slice(0, 2).join(' ')} ${config.databaseUrl ? 'at DATABASE_URL' : 'in the data folder'}`,
      )
      const connection = await pool.connect()
      await refuseUnfit(connection).finally(() => connection.release())
      const { host, user, database } = pool.options
      if (!config.databaseUrl)
        say(null, `While the server runs, PostgreSQL clients reach it by: -h '${host}' -U ${user} ${database}`)
      // an empty database lacks the table that is asked
      const migrated = await isMigrated(db).catch(() => false)
      say(
        migrated ? true : null,
        migrated ? 'The schema is the newest' : 'The schema is not the newest yet; npm start migrates it',
      )
      const fault = migrated ? await faultOfSecret(db, secretPlaceOf(config)) : null
      if (fault) say(false, fault)
      const isRunning = await checkInstances(pool)
      await checkStart(config, address, { isRunning, isMigrated: migrated })
    })
  } catch (error) {
    say(false, `Database: ${(error as Error).message}`)
  }
  return isReached
}

/** Reports what a start would log, and what a public site lacks. */
async function checkStart(
  config: Config,
  address: DatabaseAddress,
  { isRunning, isMigrated }: { isRunning: boolean; isMigrated: boolean },
) {
  const dryStart = await loadDryStart()
  if (!dryStart) return say(null, 'What a start does to the database was not tried: npm run build comes first')
  const { tryStart, lookAtReadiness } = dryStart
  if (isRunning) {
    say(null, 'What a start does to the database was not tried, as an instance runs at it')
    if (isMigrated) sayReadiness(config, await lookAtReadiness(config, address))
    return
  }
  try {
    const { notes, notReady } = await tryStart(config, address)
    say(true, 'What a start does to the database was tried, and rolled back')
    for (const note of notes) say(null, `At a start: ${note}`)
    sayReadiness(config, notReady)
  } catch (error) {
    say(false, `A start would fail: ${messageOf(error)}`)
  }
}

/** The dry start, from the bundle if it is up to date: a production install lacks packages that the sources import. null: neither works. */
async function loadDryStart(): Promise<typeof DryStart | null> {
  if (isBuilt()) return import(pathToFileURL(join(root, 'build', 'app', 'dry-start.mjs')).href)
  return import('../src/app/dry-start.ts').catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  })
}

function sayReadiness(config: Config, faults: string[]) {
  if (!isPublic(config))
    return say(null, 'PUBLIC_URL names no public address, so what a public site needs was not looked at')
  for (const fault of faults) say(false, `Not ready for the public: ${fault}`)
  if (faults.length === 0)
    say(true, 'Ready for the public: mail, proxy, staff, festival days and a recent backup are there')
}

/** Reports the versions of running instances; during an update there are two. False: none runs. */
async function checkInstances(pool: Pool): Promise<boolean> {
  const instances = await instancesSeen(pool)
  if (instances.length === 0) {
    say(null, 'No instance runs at this database')
    return false
  }
  // a Map, because an object would sort versions of digits first
  const machinesOf = [...Map.groupBy(instances, ({ version }) => version)].map(
    ([version, those]) => `${version} on ${those.map(({ machine }) => machine).join(', ')}`,
  )
  say(machinesOf.length === 1, `Instances that run now, by version: ${machinesOf.join('; ')}`)
  const here = versionHere()
  if (instances.every(({ version }) => version !== here)) say(null, `This checkout is version ${here}, which none runs`)
  return true
}

/** Checks a database of DATABASE_URL: its clock, whether it takes writes, and delay and version of each replica. */
async function checkCluster({ databaseUrl, databaseReadUrls, databaseDirectUrl }: Config & { databaseUrl: string }) {
  const primary = await checkServer('DATABASE_URL', databaseUrl)
  if (!primary) return
  say(
    !primary.standby,
    primary.standby ? 'DATABASE_URL leads to a standby, which takes no writes' : 'The database takes writes',
  )
  if (databaseDirectUrl) {
    const direct = await checkServer('DATABASE_DIRECT_URL', databaseDirectUrl)
    if (direct && direct.system !== primary.system)
      say(false, 'DATABASE_DIRECT_URL and DATABASE_URL lead to two different databases')
  }
  for (const [n, url] of databaseReadUrls.entries()) {
    const name = `Replica ${n + 1}`
    const replica = await checkServer(name, url)
    if (!replica) continue
    if (replica.system !== primary.system) say(false, `${name} follows another database than DATABASE_URL`)
    else if (replica.version !== primary.version)
      say(false, `${name} runs PostgreSQL ${replica.version}, DATABASE_URL ${primary.version}`)
    else if (!primary.standby) await checkFollowing(name, url, databaseUrl, replica.standby)
  }
}

/**
 * Writes a mark on the primary and waits for it on the replica. What a replica says of itself is not enough: one that is cut off has
 * replayed all that it got, and an old primary still takes writes.
 */
async function checkFollowing(name: string, replicaUrl: string, primaryUrl: string, isStandby: boolean) {
  const primary = openDatabase({ connectionString: primaryUrl }, { maxConnections: 1 })
  const replica = openDatabase({ connectionString: replicaUrl }, { maxConnections: 1 })
  try {
    const markMs = await leaveMark(primary.db)
    const began = performance.now()
    let behindMs = 0
    while (((await findMark(replica.db)) ?? 0) < markMs && behindMs <= lagMs) {
      await sleep(20)
      behindMs = performance.now() - began
    }
    if (behindMs > lagMs)
      say(
        false,
        isStandby
          ? `${name} is more than ${lagMs} ms behind, or follows no more`
          : `${name} takes writes of its own, and does not have those of DATABASE_URL`,
      )
    else say(true, isStandby ? `${name} is ${Math.round(behindMs)} ms behind` : `${name} is the primary itself`)
  } catch (error) {
    if ((error as { code?: unknown }).code === noTable)
      say(null, `${name}: whether it follows can be seen after the first start`)
    else say(false, `${name}: ${(error as Error).message}`)
  } finally {
    await Promise.all([primary.pool.end(), replica.pool.end()])
  }
}

/** Id of the PostgreSQL installation, the same on a primary and its standbys; if our role may not read it, the database's oid. */
async function systemOf(pool: Pool): Promise<string> {
  const ask = (text: string) =>
    pool.query<{ system: string }>(`select ${text} || ' ' || current_database() as system`).then(({ rows }) => rows[0]!)
  const { system } = await ask('(select system_identifier::text from pg_control_system())').catch(() =>
    ask('(select oid::text from pg_database where datname = current_database())'),
  )
  return system
}

/** Checks and reports. null: the server cannot be reached. */
async function checkServer(name: string, connectionString: string) {
  const { pool } = openDatabase({ connectionString }, { maxConnections: 1 })
  try {
    const asked = Date.now()
    const { rows } = await pool.query<{
      standby: boolean
      version: string
      now_ms: number
    }>(`select pg_is_in_recovery() as standby, current_setting('server_version') as version,
      extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`)
    const [{ standby, version, now_ms }] = rows as [(typeof rows)[0] & object]
    const apartMs = Math.abs(now_ms - (asked + Date.now()) / 2)
    if (apartMs > clockMs)
      say(false, `${name}: its clock and this machine's are ${Math.round(apartMs / 100) / 10} s apart`)
    return { standby, version, system: await systemOf(pool) }
  } catch (error) {
    say(false, `${name}: ${(error as Error).message}`)
    return null
  } finally {
    // the pool itself, because Kysely, which was never used, would leave it open
    await pool.end()
  }
}

/** Writes, reads and deletes a file in the bucket. */
async function checkBucket(s3: S3Place) {
  const files = createFileStore({ folder: '', s3 })
  const name = newFileName()
  try {
    await files.put(name, Buffer.from('doctor'))
    if (!(await files.get(name))) throw new FilesUnavailable(new Error('what was written there is not found'))
    await files.delete(name)
    say(true, `Bucket ${s3.bucket} at ${s3.endpoint}: can be written and read`)
  } catch (error) {
    say(false, `Bucket ${s3.bucket} at ${s3.endpoint}: ${deepestCause(error)}`)
  }
}

/** The message of the innermost cause, since `fetch failed` alone says nothing. */
function deepestCause(error: unknown): string {
  let deepest = error as Error & { code?: string }
  while (deepest.cause instanceof Error) deepest = deepest.cause
  return deepest.message || deepest.code || String(deepest)
}

/** The address contains the key, so it is not shown. A refusal may be fine: some keys work only in browsers on the festival's site. */
async function checkOnlineMap(styleUrl: string, origins: string[]) {
  const map = `Online map of ${origins.join(', ')}`
  try {
    const { ok, status, body } = await fetch(styleUrl, { signal: AbortSignal.timeout(mapMs) })
    // an unread body would delay the end of the process
    await body?.cancel()
    if (ok) say(true, `${map}: its style is there`)
    else say(status === 404 ? false : null, `${map}: answers ${status} to this machine; only a browser can tell more`)
  } catch (error) {
    say(null, `${map}: not reached from this machine (${deepestCause(error)})`)
  }
}

async function checkMap(config: Config) {
  const { styleUrl, origins } = config.map
  if (styleUrl) await checkOnlineMap(styleUrl, origins)
  try {
    const { pack } = await openMap({ ...config.map, centre: config.festival })
    if (pack)
      say(
        true,
        `Map pack: ${Math.ceil(pack.file.length / 1000)} kB, ${pack.credits.map((each) => each.text).join(' · ')}`,
      )
    else say(null, 'No map pack (MAP_PACK is not set); the built-in drawing of Basel is shown')
  } catch (error) {
    say(false, (error as Error).message)
  }
}

async function checkMail(smtpUrl: string) {
  const fault = await troubleWithMail(smtpUrl)
  if (!fault) say(true, 'The mail server answers')
  else say(false, `The mail server ${fault}`)
}
