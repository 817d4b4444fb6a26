import { refuseIfWaiting } from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import { newFileName, NoPicture, remakePicture, TooManyPixels, uploadsPath } from '../../kit/server/uploads.ts'
import type { Caller } from '../../kit/server/serve-endpoint.ts'
import type { ReceivedFile } from '../../kit/shared/endpoint.ts'
import { pictureMostPixels, pictureTooManyPixels } from '../../kit/shared/pictures.ts'
import { invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { notAPicture } from '../contract.ts'
import { findOrInsertMember, refuseIfBarred } from './members.ts'
import type { ForumRoom } from './room.ts'
import * as store from './store.ts'

/** Longer side of a picture in a post, px. */
const imageMaxSide = 1600

/** Stores a picture for a post; deleted after a day if no post uses it. */
export async function uploadImage(room: ForumRoom, who: Caller, file: ReceivedFile | undefined) {
  const { db, clock, files } = room
  const now = asDate(clock.now())
  if (!file) throw new Refusal(invalidInput, { fields: { image: { key: 'required' } } })
  const member = await findOrInsertMember(room, who)
  refuseIfBarred(member, now)
  refuseIfWaiting(await room.limits.images.take(member.member_id))
  const picture = await remakePicture(file.bytes, { maxSide: imageMaxSide }).catch((error: unknown) => {
    if (error instanceof NoPicture) throw new Refusal(notAPicture)
    if (!(error instanceof TooManyPixels)) throw error
    throw new Refusal(pictureTooManyPixels, { values: { max: pictureMostPixels / 1e6 } })
  })
  const image_name = newFileName()
  await store.insertImage(db, { image_name, member_id: member.member_id, created_at: now })
  await files.put(image_name, picture)
  return { image_url: uploadsPath + image_name }
}

const imagesAtOnce = 100

export const forgetImagesJob = 'forget-forum-images'

/** Deletes pictures without a post that are a day old, and pictures of deleted posts. Run daily, and after a post was deleted. */
export async function forgetUnusedImages({ db, clock, files }: ForumRoom): Promise<void> {
  const before = asDate(clock.now().subtract({ hours: 24 }))
  let names: string[]
  do {
    names = await store.unusedImages(db, before, imagesAtOnce)
    for (const name of names) await files.delete(name)
    await store.forgetImages(db, names)
  } while (names.length === imagesAtOnce)
}
