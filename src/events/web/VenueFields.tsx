import { useTranslations } from 'use-intl'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import type { KeptFields } from '../../kit/browser/kept-fields.ts'
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
export function venueSaid(fields: KeptFields) {
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

/** All that staff can say of a venue. */
export function VenueFields({
  values,
  set,
  faults,
}: {
  values: KeptFields
  set: (name: string, value: string) => void
  /** By the name of the server. */
  faults: Record<string, string> | undefined
}) {
  const t = useTranslations('adminEvents')
  const field = (name: string) => ({
    value: values[name] ?? '',
    error: faults?.[name],
    onChange: ({ target }: { target: { value: string } }) => set(name, target.value),
  })
  const fact = (name: 'step_free' | 'quiet_area', label: string) => (
    <Select label={label} {...field(name)}>
      <option value="">{t('notKnown')}</option>
      <option value="yes">{t('yes')}</option>
      <option value="no">{t('no')}</option>
    </Select>
  )
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label={t('venueName')} maxLength={120} {...field('venue_name')} />
      <TextField label={t('venueAddress')} maxLength={200} {...field('address')} />
      <TextField
        label={t('venuePosition')}
        help="47.5606, 7.5931"
        {...field('position')}
        error={faults?.['latitude'] ?? faults?.['longitude']}
      />
      <TextField label={t('venueCapacity')} inputMode="numeric" {...field('capacity')} />
      {fact('step_free', t('venueStepFree'))}
      {fact('quiet_area', t('venueQuiet'))}
    </div>
  )
}
