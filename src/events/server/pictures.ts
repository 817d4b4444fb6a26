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
 * Stores a picture for an event, re-encoded from its pixels. It is deleted after a day unless an event shows it.
 * @throws `invalid_input`, `picture_no_image`, `picture_too_many_pixels`, `too_many_requests`
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
  // checked before the costly work, and again under the lock, as several uploads may run at once
  await mayHaveOneMore(db)
  const picture = await remadePicture(file)
  const name = newFileName()
  // write the row first: a file without a row would never be deleted
  await db.transaction().execute(async (trx) => {
    await store.lockPictures(trx)
    await mayHaveOneMore(trx)
    await store.addPicture(trx, name, asDate(now))
  })
  await files.put(name, picture)
  return { url: uploadsPath + name }
}

/** Marks a picture as used by an event, so that it is not deleted. @throws `invalid_input` unless it was uploaded for one */
export async function claimPicture(trx: Sql, url: string): Promise<void> {
  const name = uploadedName(url)
  if (name !== null && (await store.claimPicture(trx, name))) return
  throw new Refusal(invalidInput, { fields: { image_url: { key: 'picture_unknown' } } })
}

const picturesAtOnce = 100

/** Run by night: deletes pictures that no event got within a day. */
export async function deleteUnusedPictures({ db, clock, files }: Pick<EventRoom, 'db' | 'clock' | 'files'>) {
  const before = asDate(clock.now().subtract({ hours: 24 }))
  let names: string[]
  do {
    names = await store.unusedPictures(db, before, picturesAtOnce)
    for (const name of names) {
      // delete the row first: from then on no event can use the picture
      if (await store.deleteUnusedPicture(db, name)) await files.delete(name)
    }
  } while (names.length === picturesAtOnce)
}
