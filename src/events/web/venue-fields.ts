import type { FormValues } from '../../kit/browser/form-drafts.ts'
import type { Venue } from '../contract.ts'

/** The form of a venue: a text for each field; null: a new venue. */
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

/** The request body of the form. Texts that are no number are sent as typed: the server refuses them with words. */
export function venueBody(fields: FormValues) {
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

/** The body of the changed fields alone, so that other fields keep what somebody else saved. */
export function venueChanges(fields: FormValues, changed: readonly string[]): Partial<ReturnType<typeof venueBody>> {
  const fieldOf = (name: string) => (name === 'latitude' || name === 'longitude' ? 'position' : name)
  return Object.fromEntries(Object.entries(venueBody(fields)).filter(([name]) => changed.includes(fieldOf(name))))
}
