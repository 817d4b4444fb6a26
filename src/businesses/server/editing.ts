import { isReservedName } from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { fairTurns } from '../../kit/server/fair-turns.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { Outside } from '../../kit/server/outside.ts'
import { expectVersion, knownCaller, type RequestContext, type Texts } from '../../kit/server/serve-endpoint.ts'
import { uploadedName } from '../../kit/server/uploads.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { forbidden, invalidInput, Refusal } from '../../kit/shared/refusal.ts'
import { changedRow } from '../../kit/shared/thing.ts'
import { businessFields, type BusinessFields } from '../business.ts'
import { businessNotFound, type BusinessForOwner } from '../contract.ts'
import { logoUrlNotAllowed, type ProfileChanges } from '../contract/editing.ts'
import { isOwnBusiness } from '../policy.ts'
import { findBusiness, readHours, type BusinessRoom } from './businesses.ts'
import { isPictureOf } from './merchant.ts'
import { fetchLogoJob } from './pictures.ts'
import * as store from './store.ts'

export interface ProfileRoom extends BusinessRoom {
  outside: Outside
  festivalName: string
  jobs: Pick<Jobs, 'enqueue'>
  texts: Texts
}

/**
 * Saves a merchant's profile; a missing field stays. A logo on another host is fetched later by a job, so a host that does not
 * answer does not stop the save.
 * @throws `business_not_found`, `forbidden`, `changed_meanwhile`, `logo_url_not_allowed`, `invalid_input`
 */
export async function updateBusiness(
  room: ProfileRoom,
  businessId: string,
  changes: ProfileChanges,
  asking: RequestContext,
): Promise<BusinessForOwner> {
  const who = knownCaller(asking)
  const present = isUuid(businessId) ? await store.findProfile(room.db, businessId) : undefined
  if (!present) throw new Refusal(businessNotFound)
  if (!isOwnBusiness(who, present.business_id)) throw new Refusal(forbidden)
  const fault = (field: string, key: string) => new Refusal(invalidInput, { fields: { [field]: { key } } })
  // slow steps come first, so that the row is locked briefly
  const hours = await newHours(room, present, changes, () => fault('open_hours', 'open_hours_unknown'))
  const logo = changes.logo_url?.trim() || null
  const isForeignLogo = logo !== null && uploadedName(logo) === null
  if (isForeignLogo && logo !== present.logo_url && (await room.outside.look(logo)) === 'internal') throw logoRefused()

  await room.db.transaction().execute(async (trx) => {
    const profile = await store.lockProfile(trx, businessId)
    if (!profile) throw new Refusal(businessNotFound)
    const sent = sentRow(changes)
    const isNew =
      hours !== null ||
      profile.open_hours !== present.open_hours ||
      Object.entries(sent).some(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(profile[name as keyof store.Profile]),
      )
    // a retry after a lost answer names the version before its own save: no conflict if it changes nothing
    if (isNew) expectVersion(asking, profile.updated_at)
    const changed = { ...profile, ...sent }
    // a name that was taken before it became reserved may stay
    if (
      changed.business_name !== profile.business_name &&
      (await isReservedName(trx, room.festivalName, changed.business_name))
    )
      throw fault('business_name', 'name_reserved')
    if ((changed.latitude === null) !== (changed.longitude === null))
      throw fault(changed.latitude === null ? 'latitude' : 'longitude', 'both_coordinates')
    if (changed.logo_url !== profile.logo_url) {
      if (logo !== null && !isForeignLogo && !(await isPictureOf(trx, businessId, logo))) throw logoRefused()
      changed.logo_copy = null
    }
    for (const photo of changed.photos)
      if (!profile.photos.includes(photo) && !(await isPictureOf(trx, businessId, photo)))
        throw fault('photos', 'picture_unknown')
    const now = asDate(room.clock.now())
    changed.updated_at = new Date(Math.max(now.getTime(), Date.parse(profile.updated_at) + 1)).toISOString()
    await store.writeProfile(trx, changed)
    if (hours) await store.writeHours(trx, businessId, hours)
    if (isForeignLogo && changed.logo_url !== profile.logo_url) await enqueueLogo(room, trx, businessId, logo)
  })
  return findBusiness(room, businessId, who)
}

const enqueueLogo = ({ jobs }: ProfileRoom, trx: Sql, business_id: string, logo_url: string) =>
  jobs.enqueue(trx, fetchLogoJob, { business_id, logo_url })

const logoRefused = () => new Refusal(logoUrlNotAllowed, { fields: { logo_url: { key: 'logo_url_not_allowed' } } })

/** The sent fields as columns, without the hours, which are stored with their openings. */
const sentRow = (changes: ProfileChanges) =>
  changedRow<BusinessFields, store.BusinessesTable>(
    businessFields,
    { ...changes, open_hours: undefined },
    {
      business_name: (name) => name.trim(),
      logo_url: (url) => url.trim() || null,
      photos: (paths) => [...new Set(paths)],
    },
  )

/** One at a time: reading hours starts a thread of tens of megabytes. */
const inTurn = fairTurns({ name: 'opening hours', slots: 1, perAddress: 10, most: 20, patienceMs: 4_000 })

/** The new hours with their openings; null: unchanged. Unchanged hours are not read again, so that an old wording is never refused. */
async function newHours(
  room: ProfileRoom,
  present: store.Profile,
  changes: ProfileChanges,
  unreadable: () => Refusal,
): Promise<store.NewHours | null> {
  if (changes.open_hours === undefined) return null
  const text = changes.open_hours?.trim() || null
  if (text === present.open_hours) return null
  if (text === null) return { open_hours: null, known: false, until: null, changes: [], week: null }
  const place = { ...present, ...sentRow(changes) }
  const read = await inTurn(() => readHours(room, text, place))
  if (!read) throw unreadable()
  return { open_hours: text, known: true, ...read }
}
