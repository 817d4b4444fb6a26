import { FileAnswer } from '../../kit/server/send-answer.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import { mailsOf } from '../../mail/server/mail.ts'
import { csvOf } from './csv.ts'
import { knownAccount, ownerOf, refuseIfWaiting, type AccountRoom } from './room.ts'
import * as store from './store.ts'

/** A zip with all data of the account: `data.json`, and a CSV file per table. @throws `too_many_requests` */
export async function exportMe(room: AccountRoom, who: Caller): Promise<FileAnswer> {
  const { strToU8, zipSync } = await import('fflate')
  refuseIfWaiting(await room.limits.exports.take(who.accountId))
  const account = await knownAccount(room.db, who)
  const owner = ownerOf(account)
  const tables: Record<string, Record<string, unknown>[]> = {
    ...(await store.exportOf(room.db, who.accountId)),
    outgoing_mails: await mailsOf(room.db, who.accountId),
  }
  for (const each of room.personalData) Object.assign(tables, await each.exportOf(room.db, owner))
  const at = room.clock.now().toString({ smallestUnit: 'second' })
  const files: Record<string, Uint8Array> = {
    'data.json': strToU8(JSON.stringify({ exported_at: at, ...tables }, null, 2)),
  }
  for (const [table, rows] of Object.entries(tables)) files[`${table}.csv`] = strToU8(csvOf(rows))
  room.log.note({ event: 'exported', actor: who.accountId, requestId: null })
  return new FileAnswer(zipSync(files, { level: 6 }), `rheinklang-${at.slice(0, 10)}.zip`)
}
