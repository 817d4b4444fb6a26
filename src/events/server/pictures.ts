import { remadePicture } from '../../businesses/server/pictures.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newFileName, uploadedName, uploadsPath } from '../../kit/server/uploads.ts'
import type { ReceivedFile } from '../../kit/shared/endpoint.ts'
import { invalidInput, Refusal, tooManyUntil } from '../../kit/shared/refusal.ts'
import { eventPicturesADay } from '../contract.ts'
import type { EventRoom } from './programme.ts'
import * as store from './store.ts'

/**
 * A picture for an event, made anew from its pixels. It is kept for a day, and for good once an event has it.
 * @throws invalid_input, picture_no_image, picture_too_many_pixels, too_many_requests
 */
export async function uploadEventPicture(
  { db, clock, files }: EventRoom,
  file: ReceivedFile | undefined,
): Promise<{ url: string }> {
  const now = clock.now()
  const mayHaveOneMore = async (by: Sql) => {
    if ((await store.countPictures(by, asDate(now.subtract({ hours: 24 })))) >= eventPicturesADay)
      throw tooManyUntil(3600)
  }
  // before the work, and once more where several come at once
  await mayHaveOneMore(db)
  const picture = await remadePicture(file)
  const name = newFileName()
  // the row comes first: a file without one would never be deleted
  await db.transaction().execute(async (trx) => {
    await store.lockPictures(trx)
    await mayHaveOneMore(trx)
    await store.addPicture(trx, name, asDate(now))
  })
  await files.put(name, picture)
  return { url: uploadsPath + name }
}

/** From now on it is kept. Throws `invalid_input` for what nobody uploaded for an event. */
export async function claimPicture(trx: Sql, url: string): Promise<void> {
  const name = uploadedName(url)
  if (name !== null && (await store.claimPicture(trx, name))) return
  throw new Refusal(invalidInput, { fields: { image_url: { key: 'picture_unknown' } } })
}

const picturesAtOnce = 100

/** Run by night: deletes pictures that no event got within a day. */
export async function forgetUnusedPictures({ db, clock, files }: Pick<EventRoom, 'db' | 'clock' | 'files'>) {
  const before = asDate(clock.now().subtract({ hours: 24 }))
  let names: string[]
  do {
    names = await store.unusedPictures(db, before, picturesAtOnce)
    for (const name of names) {
      // the row goes first: from then on no event can get the picture
      if (await store.forgetPicture(db, name)) await files.delete(name)
    }
  } while (names.length === picturesAtOnce)
}
