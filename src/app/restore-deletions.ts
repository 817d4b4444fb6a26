import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deleteAgain, sealSecretsAnew } from '../accounts/server/accounts.ts'
import { accounts } from '../accounts/room.ts'
import { systemClock } from '../kit/server/clock.ts'
import { idsIn } from '../kit/server/id-log.ts'
import { startJobs } from '../kit/server/jobs.ts'
import { openKeyring } from '../kit/server/keyring.ts'
import { createLimiter } from '../kit/server/limiter.ts'
import { createMailer } from '../kit/server/mailer.ts'
import { isMigrated, migrate } from '../kit/server/migrate.ts'
import { openRooms } from '../kit/server/room.ts'
import { createSecurityLog } from '../kit/server/security-log.ts'
import { openOutside } from '../kit/server/outside.ts'
import { createFileStore } from '../kit/server/uploads.ts'
import { messageOf, Misuse, runCommand, withDatabase } from './command.ts'
import { deletionsOf, secretPlaceOf, type Config } from './config.ts'
import { rooms } from './rooms.ts'
import { settingsOf, siteOf } from './start.ts'
import { texts } from './server/texts.ts'

const usage = `npm run restore:deletions -- [FILE …]

After a backup was restored: deletes again the accounts that were deleted since the backup was made. Which ones, stands in
DATA_DIR/deletions.log, or in the bucket of S3_* where one is configured; FILE is a copy of such a file. Safe to run again.
`

await runCommand({
  name: 'restore:deletions',
  usage,
  options: {},
  readWish: ({ positionals }) => positionals,
  carryOut: async (config, files) => ({ exitCode: 0, lines: await carryOut(config, files) }),
  failed: (error, isMisuse) => ({ exitCode: isMisuse ? 2 : 1, complaint: messageOf(error) }),
})

/** Beside a running server or without one. */
async function carryOut(config: Config, files: string[]): Promise<string[]> {
  const deletions = deletionsOf(config)
  const given = await Promise.all(files.map(readNoted))
  const ids = given.length > 0 ? new Set(given.flatMap((each) => [...each.ids])) : await deletions.ids()
  const unreadable = given.reduce((sum, each) => sum + each.unreadable, 0)
  const place = files.length > 0 ? files.join(', ') : deletions.place
  const deleted = await withDatabase(config, async (database, undo) =>
    deleteAgain(await accountRoom(config, database, undo), ids),
  )
  return [
    `${ids.size} ${ids.size === 1 ? 'deletion is' : 'deletions are'} noted in ${place}; ${deleted} ${deleted === 1 ? 'account was' : 'accounts were'} there again and ${deleted === 1 ? 'is' : 'are'} deleted.`,
    ...(unreadable > 0 ? [`${unreadable} ${unreadable === 1 ? 'line' : 'lines'} could not be read.`] : []),
  ]
}

async function readNoted(file: string) {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Misuse(`"${file}" cannot be read: ${messageOf(error)}`)
  })
  return idsIn(text)
}

/** All rooms are opened, so that none that keeps something of people is forgotten. */
async function accountRoom(
  config: Config,
  { db, pool }: Parameters<Parameters<typeof withDatabase>[1]>[0],
  undo: (() => Promise<unknown>)[],
) {
  if (!(await isMigrated(db).catch(() => false))) await migrate(db)
  const jobs = await startJobs(db, () => ({}), { zone: config.festival.zone, log: () => {} })
  undo.push(() => jobs.stop())
  const complain = () => {}
  const { house } = await openRooms(rooms, {
    site: siteOf(config),
    db,
    clock: systemClock,
    jobs,
    keyring: await openKeyring(db, secretPlaceOf(config), (keys) => sealSecretsAnew(db, keys)),
    files: createFileStore({ folder: join(config.dataDir, 'uploads'), s3: config.s3 }),
    outside: openOutside(),
    deletions: deletionsOf(config),
    mailer: createMailer({ smtpUrl: null, from: config.mailFrom, folder: join(config.dataDir, 'mail'), complain }),
    texts,
    log: createSecurityLog(null),
    complain,
    ownConnection: () => {
      throw new Error('A command listens to nothing.')
    },
    limiter: (options) => createLimiter(pool, options),
    settings: settingsOf(config),
  })
  return house.of(accounts)
}
