import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { accounts } from '../accounts/room.ts'
import { deleteAgain } from '../accounts/server/accounts.ts'
import { idsIn } from '../kit/server/id-log.ts'
import { houseOfCommand } from './command-house.ts'
import { messageOf, Misuse, runCommand, withDatabase } from './command.ts'
import { deletionsOf, type Config } from './config.ts'

const usage = `npm run restore:deletions -- [FILE …]

After a backup was restored: deletes again the accounts that were deleted since the backup was made. Which ones, stands in
DATA_DIR/deletions.log, or in the bucket of S3_* where one is configured; FILE is a copy of such a file. Safe to run again.
`

await runCommand({
  name: 'restore:deletions',
  usage,
  options: {},
  readTask: ({ positionals }) => positionals,
  carryOut: async (config, files) => ({ exitCode: 0, lines: await carryOut(config, files) }),
})

/** Works beside a running server or without one. */
async function carryOut(config: Config, files: string[]): Promise<string[]> {
  const deletions = deletionsOf(config)
  const given = await Promise.all(files.map(readNoted))
  const ids = given.length > 0 ? new Set(given.flatMap((each) => [...each.ids])) : await deletions.ids()
  const unreadable = given.reduce((sum, each) => sum + each.unreadable, 0)
  const place = files.length > 0 ? files.join(', ') : deletions.place
  const deleted = await withDatabase(config, async (database, undo) =>
    // with all rooms, because each deletes its own personal data
    deleteAgain((await houseOfCommand(config, database, undo)).of(accounts), ids),
  )
  return [
    `${ids.size} ${ids.size === 1 ? 'deletion is' : 'deletions are'} noted in ${place}; ${deleted} ${deleted === 1 ? 'account was' : 'accounts were'} there again and ${deleted === 1 ? 'is' : 'are'} deleted.`,
    ...(unreadable > 0 ? [`${unreadable} ${unreadable === 1 ? 'line' : 'lines'} could not be read.`] : []),
  ]
}

async function readNoted(file: string) {
  const path = resolve(process.env['INIT_CWD'] ?? '.', file) // npm starts us in the package's folder
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new Misuse(`"${file}" cannot be read: ${isMissing ? 'there is no such file' : messageOf(error)}`)
  })
  const noted = idsIn(text)
  // probably the wrong file: "0 deletions" would look like success
  if (noted.ids.size === 0 && noted.unreadable > 0)
    throw new Misuse(`"${file}" is no copy of a deletions.log. Nothing was deleted.`)
  return noted
}
