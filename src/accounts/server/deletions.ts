import { asDate } from '../../kit/server/clock.ts'
import { ownerOf, type AccountRoom } from './room.ts'
import * as store from './store.ts'

type DeletionRoom = Pick<AccountRoom, 'db' | 'clock' | 'log' | 'personalData' | 'deletions'>

/**
 * Deletes an account if `holds` is true; once, however many instances try. In three steps, so that a crash loses nothing:
 * 1. Block the account, so that nobody can keep it any more.
 * 2. Note its id outside the database. Noted only after the deletion, a crash in between would let a restored backup revive the
 *    account for good. Noted before, the next night deletes it.
 * 3. Delete everything.
 */
export async function deleteFor(
  room: DeletionRoom,
  accountId: string,
  event: string,
  holds: (account: store.AccountRow, now: Date) => boolean,
): Promise<boolean> {
  const now = room.clock.now()
  const isDue = await room.db.transaction().execute(async (trx) => {
    const account = await store.lockAccount(trx, accountId)
    if (!account || !holds(account, asDate(now))) return false
    const deletion_at = account.deletion_at ?? asDate(now)
    await store.changeAccount(trx, accountId, { deletion_at, blocked_at: account.blocked_at ?? asDate(now) })
    await store.endSessions(trx, accountId)
    return true
  })
  if (!isDue) return false
  await room.deletions.note(accountId, now)
  return forget(room, accountId, event)
}

/**
 * Deletes accounts again that a restored backup has brought back.
 * @param accountIds noted ids; unknown ones are skipped
 * @returns how many were deleted
 * @throws after all were tried, with the number of failed ones
 */
export async function deleteAgain(room: DeletionRoom, accountIds: Iterable<string>): Promise<number> {
  const noted = await room.deletions.ids()
  const failures: unknown[] = []
  let deleted = 0
  for (const accountId of accountIds) {
    try {
      if (!(await store.findAccount(room.db, accountId))) continue
      // The id may come from another installation's file: the next restore must find it in ours.
      if (!noted.has(accountId)) await room.deletions.note(accountId, room.clock.now())
      if (await forget(room, accountId, 'account_deleted_again')) deleted++
    } catch (error) {
      failures.push(error)
    }
  }
  const [first] = failures
  if (first === undefined) return deleted
  throw new Error(
    `${failures.length} of ${deleted + failures.length} accounts could not be deleted and ${failures.length === 1 ? 'is' : 'are'} left; ` +
      `run it again. The first failure: ${first instanceof Error ? first.message : String(first)}`,
    { cause: first },
  )
}

async function forget({ db, log, personalData }: DeletionRoom, accountId: string, event: string): Promise<boolean> {
  const isDone = await db.transaction().execute(async (trx) => {
    const account = await store.lockAccount(trx, accountId)
    if (!account) return false
    for (const each of personalData) await each.forget(trx, ownerOf(account))
    await store.deleteAccount(trx, accountId)
    return true
  })
  if (isDone) log.note({ event, actor: accountId, requestId: null })
  return isDone
}
