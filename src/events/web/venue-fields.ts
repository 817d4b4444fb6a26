import type { FormValues } from '../../kit/browser/form-drafts.ts'
import type { Venue } from '../contract.ts'

/** What the fields of a venue begin with. */
export function venueFieldsOf(venue: Venue | null) {
  const known = (fact: boolean | null | undefined) => (fact == null ? '' : fact ? 'yes' : 'no')
  return {
    venue_name: venue?.venue_name ?? '',
    address: venue?.address ?? '',
    position: venue?.latitude == null ? '' : `${venue.latitude}, ${venue.longitude}`,
    capacity: String(venue?.capacity ?? ''),
    step_free: known(venue?.step_free),
    quiet_area: known(venue?.quiet_area),
  }
}

/** What they say; a number that is none is left to the server to refuse. */
export function venueSaid(fields: FormValues) {
  const text = (name: string) => (fields[name] ?? '').trim() || null
  const fact = (name: string) => (text(name) === null ? null : text(name) === 'yes')
  const [latitude = null, longitude = null] = text('position')?.split(/[,;\s]+/) ?? []
  return {
    venue_name: fields['venue_name'] ?? '',
    address: text('address'),
    latitude,
    longitude,
    capacity: text('capacity'),
    step_free: fact('step_free'),
    quiet_area: fact('quiet_area'),
  }
}

/** The same of changed fields alone, so that what somebody else has changed meanwhile stays. */
export function venueChanges(fields: FormValues, changed: readonly string[]): Partial<ReturnType<typeof venueSaid>> {
  const fieldOf = (name: string) => (name === 'latitude' || name === 'longitude' ? 'position' : name)
  return Object.fromEntries(Object.entries(venueSaid(fields)).filter(([name]) => changed.includes(fieldOf(name))))
}
