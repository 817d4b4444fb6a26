import { useTranslations } from 'use-intl'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import type { FormValues } from '../../kit/browser/form-drafts.ts'

/** The form fields of a venue, for staff. */
export function VenueFields({
  values,
  set,
  faults,
}: {
  values: FormValues
  set: (name: string, value: string) => void
  /** Errors by the server's field names. */
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
