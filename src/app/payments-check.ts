import { payments } from '../payments/room.ts'
import { reconcile } from '../payments/server/background.ts'
import { houseOfCommand } from './command-house.ts'
import { Misuse, noArguments, runCommand, withDatabase } from './command.ts'
import type { Config } from './config.ts'

const usage = `npm run payments:check

Compares all that the payment provider knows with what is known here, and makes up for events that were missed; a line for each
difference. The server does the same every night. Safe to run again. Exit 0: nothing differs any more; 3: something is left
that a person has to look at; 1: no answer of the provider or the database.
`

await runCommand({
  name: 'payments:check',
  usage,
  options: {},
  readTask: noArguments(usage),
  carryOut,
})

/** Beside a running server or without one; mails that follow from it leave with the server. */
async function carryOut(config: Config) {
  if (!config.payments.provider) throw new Misuse('There is no payment provider: set PAYMENTS and its keys.')
  const lines: string[] = []
  const { compared, repaired, left } = await withDatabase(config, async (database, undo) => {
    const house = await houseOfCommand(config, database, undo, (message, details = {}) => {
      const named = Object.entries(details).map(([name, value]) => `${name}: ${value}`)
      lines.push([message, ...named].join(' '))
    })
    return reconcile(house.of(payments))
  })
  const differences = repaired.length + left.length
  const summary = `${compared} compared, ${differences} ${differences === 1 ? 'difference' : 'differences'}, ${repaired.length} made up for, ${left.length} left.`
  return { exitCode: left.length > 0 ? 3 : 0, lines: [...lines, summary] }
}
