import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { NotFetched, type Outside } from '../../kit/server/outside.ts'
import { knownCaller, type RequestContext } from '../../kit/server/serve-endpoint.ts'
import {
  newFileName,
  NoPicture,
  remakePicture,
  TooManyPixels,
  uploadsPath,
  type FileStore,
} from '../../kit/server/uploads.ts'
import type { ReceivedFile } from '../../kit/shared/endpoint.ts'
import {
  pictureMaxBytes,
  pictureMaxPixels,
  pictureMostPixels,
  pictureNoImage,
  pictureTooManyPixels,
} from '../../kit/shared/pictures.ts'
import { forbidden, invalidInput, Refusal, tooManyUntil } from '../../kit/shared/refusal.ts'
import { logoMaxPixels, logoNoImage, logoTooManyPixels } from '../contract.ts'
import { picturesADay } from '../contract/editing.ts'
import * as store from './store.ts'

interface PictureRoom {
  db: Database
  clock: Clock
  files: FileStore
}

export const fetchLogoJob = 'fetch-logo'

/**
 * Stores a picture of a merchant, re-encoded from its pixels. It is deleted after a day unless something shows it.
 * @throws `forbidden`, `invalid_input`, `picture_no_image`, `picture_too_many_pixels`, `too_many_requests`
 */
export async function uploadPicture(
  room: PictureRoom,
  file: ReceivedFile | undefined,
  asking: RequestContext,
): Promise<{ url: string }> {
  const { businessId } = knownCaller(asking)
  if (!businessId) throw new Refusal(forbidden)
  const aDayAgo = asDate(room.clock.now().subtract({ hours: 24 }))
  const mayHaveOneMore = async (by: Sql) => {
    if ((await store.countPictures(by, businessId, aDayAgo)) >= picturesADay) throw tooManyUntil(3600)
  }
  // checked before the costly work, and again under the lock, as several uploads may run at once
  await mayHaveOneMore(room.db)
  const bytes = await remadePicture(file)
  const url = await storePicture(room, businessId, bytes, async (trx) => {
    await store.lockMerchant(trx, businessId)
    await mayHaveOneMore(trx)
  })
  return { url }
}

/**
 * Re-encodes the picture of a merchant or an event from its pixels, in the size that pages show.
 * @throws `invalid_input`, and as `field` says: `picture_no_image` or `logo_no_image`, `picture_too_many_pixels` or
 * `logo_too_many_pixels`
 */
export async function remadePicture(
  file: ReceivedFile | undefined,
  field: 'file' | 'logo' = 'file',
): Promise<Uint8Array> {
  if (!file) throw new Refusal(invalidInput, { fields: { [field]: { key: 'required' } } })
  const { maxSide, noImage, tooManyPixels } = pictureFields[field]
  return remakePicture(file.bytes, { maxSide }).catch((error: unknown) => {
    if (error instanceof NoPicture) throw new Refusal(noImage, { fields: { [field]: { key: 'picture_no_image' } } })
    if (!(error instanceof TooManyPixels)) throw error
    const values = { max: pictureMostPixels / 1e6 }
    throw new Refusal(tooManyPixels, { values, fields: { [field]: { key: 'picture_too_many_pixels', values } } })
  })
}

const pictureFields = {
  file: { maxSide: pictureMaxPixels, noImage: pictureNoImage, tooManyPixels: pictureTooManyPixels },
  logo: { maxSide: logoMaxPixels, noImage: logoNoImage, tooManyPixels: logoTooManyPixels },
} as const

/** Stores a picture and answers its path. Writes the row first: a file without a row would never be deleted. */
async function storePicture(
  { db, clock, files }: PictureRoom,
  businessId: string,
  bytes: Uint8Array,
  mayBe?: (trx: Sql) => Promise<void>,
): Promise<string> {
  const name = newFileName()
  await db.transaction().execute(async (trx) => {
    await mayBe?.(trx)
    await store.addPicture(trx, { name, businessId, now: asDate(clock.now()) })
  })
  await files.put(name, bytes)
  return `${uploadsPath}${name}`
}

const logoTimeoutMs = 8_000

/**
 * Job: fetches a logo from another host and stores a copy, which pages show. Failures are retried nightly for three days. Does
 * nothing if the merchant has another logo by now.
 */
export async function fetchLogo(
  room: PictureRoom & { outside: Outside },
  { business_id, logo_url }: { business_id: string; logo_url: string },
): Promise<void> {
  const profile = await store.findProfile(room.db, business_id)
  if (profile?.logo_url !== logo_url || profile.logo_copy !== null) return
  try {
    const bytes = await room.outside.fetch(logo_url, { maxBytes: pictureMaxBytes, timeoutMs: logoTimeoutMs })
    const picture = await remakePicture(bytes, { maxSide: logoMaxPixels })
    await store.setLogoCopy(room.db, business_id, logo_url, await storePicture(room, business_id, picture))
  } catch (error) {
    // pages show the fallback, and only the merchant can correct the address: no failure of the job
    if (!(error instanceof NotFetched || error instanceof NoPicture || error instanceof TooManyPixels)) throw error
  }
}

/** Logos without a copy, of profiles that were changed in the last three days. */
export async function retryLogos({
  db,
  clock,
}: Pick<PictureRoom, 'db' | 'clock'>): Promise<{ business_id: string; logo_url: string }[]> {
  return store.logosToFetch(db, asDate(clock.now().subtract({ hours: 72 })), 1000)
}

/** Deletes pictures older than a day that nothing shows. */
export async function deleteUnusedPictures(
  { db, clock, files }: PictureRoom,
  /** Answer which of the paths other rooms show. */
  shownElsewhere: ((by: Sql, paths: string[]) => Promise<string[]>)[],
): Promise<void> {
  const before = asDate(clock.now().subtract({ hours: 24 }))
  let last: { name: string; made_at: Date } | null = null
  for (;;) {
    const step: { name: string; made_at: Date }[] = await store.unshownPictures(db, before, last, 200)
    if (step.length === 0) return
    last = step.at(-1)!
    const paths = step.map(({ name }) => `${uploadsPath}${name}`)
    const shown = new Set((await Promise.all(shownElsewhere.map((ask) => ask(db, paths)))).flat())
    for (const { name } of step) {
      if (shown.has(`${uploadsPath}${name}`)) continue
      await files.delete(name)
      await store.deletePicture(db, name)
    }
  }
}
