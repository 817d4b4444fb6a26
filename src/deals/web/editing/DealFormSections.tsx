import { useState } from 'react'
import X from 'lucide-react/icons/x'
import { useTranslations } from 'use-intl'
import { CategoryGlyph } from '../../../brand/CategoryGlyph.tsx'
import { FoldedSection, FormSection } from '../../../businesses/web/editing/FormSection.tsx'
import { PictureButton } from '../../../businesses/web/editing/PictureButton.tsx'
import { PlaceField } from '../../../businesses/web/editing/PlaceField.tsx'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { Radio } from '../../../kit/browser/ui/Checkbox.tsx'
import { FieldError } from '../../../kit/browser/ui/Field.tsx'
import { TextArea } from '../../../kit/browser/ui/TextArea.tsx'
import { TextField } from '../../../kit/browser/ui/TextField.tsx'
import type { EditDraft } from '../../../kit/browser/use-edit-draft.ts'
import { useWhen } from '../../../kit/browser/when.ts'
import type { Position } from '../../../kit/shared/geo.ts'
import { withoutCurrency } from '../../../kit/shared/money.ts'
import { amountIn } from '../../policy.ts'
import { categoriesToChoose } from '../deal-query.ts'
import { daysIn } from './deal-fields.ts'
import { atHead } from '../../../kit/shared/calendar.ts'

interface Part {
  draft: EditDraft
  faults: Record<string, string>
}

function useField({ draft, faults }: Part) {
  return (name: string) => ({
    name,
    value: draft.values[name] ?? '',
    error: faults[name],
    onChange: ({ target }: { target: { value: string } }) => draft.set(name, target.value),
  })
}

export function What(part: Part) {
  const t = useTranslations('dealForm')
  const categoryName = useTranslations('categories')
  const field = useField(part)
  const { draft, faults } = part
  const image = draft.values['image_url'] ?? ''
  return (
    <FormSection title={t('what')}>
      <TextField label={t('name')} autoComplete="off" {...field('deal_name')} />
      <TextArea label={t('description')} {...field('description')} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField label={t('price')} help={t('priceHelp')} autoComplete="off" {...field('price')} />
        <TextField label={t('discount')} help={t('discountHelp')} autoComplete="off" {...field('discount')} />
      </div>
      <div className="grid gap-2">
        {/* only own paths: images of other hosts are never shown */}
        {image.startsWith('/uploads/') && (
          <span className="relative block aspect-[4/3] max-w-72 overflow-clip rounded-6 border-2 border-rule bg-well">
            <img src={image} alt={t('pictureAlt')} className="absolute inset-0 size-full object-cover" />
          </span>
        )}
        <div className="flex flex-wrap gap-3">
          <PictureButton
            label={image ? t('otherPicture') : t('picture')}
            ratio={4 / 3}
            onUploaded={(path) => draft.set('image_url', path)}
          />
          {image && (
            <Button
              variant="quiet"
              icon={<X aria-hidden="true" className="size-5" />}
              onClick={() => draft.set('image_url', '')}
            >
              {t('noPicture')}
            </Button>
          )}
        </div>
        <FieldError id="image-error">{faults['image_url']}</FieldError>
      </div>
      <fieldset className="grid min-w-0 grid-cols-1 gap-2">
        <legend className="pb-1.5 text-sm font-semibold">{t('category')}</legend>
        <div className="flex flex-wrap gap-2">
          {categoriesToChoose.map((category) => (
            <label
              key={category}
              htmlFor={`deal-category-${category}`}
              className="flex min-h-11 max-w-full cursor-pointer items-center gap-2 rounded-6 [overflow-wrap:anywhere] border-2 border-rule px-3 font-semibold has-checked:bg-ink has-checked:text-page has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
            >
              <input
                id={`deal-category-${category}`}
                type="radio"
                name="category"
                value={category}
                checked={draft.values['category'] === category}
                onChange={() => draft.set('category', category)}
                className="sr-only"
              />
              <CategoryGlyph category={category} className="size-5" />
              {categoryName(category)}
            </label>
          ))}
        </div>
        <FieldError id="category-error">{faults['category']}</FieldError>
      </fieldset>
    </FormSection>
  )
}

export function When(part: Part) {
  const t = useTranslations('dealForm')
  const { weekdayName } = useWhen()
  const field = useField(part)
  const { draft, faults } = part
  const days = daysIn(draft.values)
  const toggle = (day: number) => {
    const next = days.includes(day) ? days.filter((each) => each !== day) : [...days, day]
    draft.set('active_days', next.toSorted((a, b) => a - b).join(', '))
  }
  const [from, until] = [draft.values['start_time'] ?? '', draft.values['end_time'] ?? '']
  return (
    <FormSection title={t('when')} lead={t('whenLead')}>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField label={t('starts')} help={t('startsHelp')} type="datetime-local" {...field('starts_at')} />
        <TextField label={t('ends')} help={t('endsHelp')} type="datetime-local" {...field('ends_at')} />
      </div>
      <fieldset className="grid min-w-0 grid-cols-1 gap-2">
        <legend className="pb-1.5 text-sm font-semibold">{t('days')}</legend>
        <div className="flex flex-wrap gap-2">
          {[1, 2, 3, 4, 5, 6, 7].map((day) => (
            <label
              key={day}
              htmlFor={`deal-day-${day}`}
              className="grid min-h-11 min-w-11 cursor-pointer place-items-center rounded-6 border-2 border-rule px-2 font-semibold has-checked:bg-ink has-checked:text-page has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
            >
              <input
                id={`deal-day-${day}`}
                type="checkbox"
                checked={days.includes(day)}
                onChange={() => toggle(day)}
                className="sr-only"
              />
              {atHead(weekdayName(day))}
            </label>
          ))}
        </div>
        <p className="text-sm text-ink-soft">{t('daysHelp')}</p>
        <FieldError id="days-error">{faults['active_days']}</FieldError>
      </fieldset>
      <div className="grid grid-cols-2 items-start gap-5">
        <TextField label={t('from')} type="time" {...field('start_time')} />
        <TextField label={t('until')} type="time" {...field('end_time')} />
      </div>
      {from && until && until < from && <p className="text-sm font-semibold">{t('pastMidnight', { until })}</p>}
    </FormSection>
  )
}

export function Redeeming(part: Part) {
  const t = useTranslations('dealForm')
  const field = useField(part)
  const { draft } = part
  const isUncounted = draft.values['redemption_mode'] !== 'code' && Boolean(draft.values['total_limit'])
  return (
    <FormSection title={t('redeeming')}>
      <fieldset className="grid">
        <legend className="sr-only">{t('redeeming')}</legend>
        {(['none', 'code'] as const).map((mode) => (
          <Radio
            key={mode}
            id={`deal-mode-${mode}`}
            name="redemption_mode"
            value={mode}
            label={t(`mode.${mode}`)}
            help={t(`modeHelp.${mode}`)}
            checked={draft.values['redemption_mode'] === mode}
            onChange={() => draft.set('redemption_mode', mode)}
          />
        ))}
      </fieldset>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label={t('total')}
          help={t(isUncounted ? 'totalUncounted' : 'totalHelp')}
          inputMode="numeric"
          {...field('total_limit')}
        />
        <TextField label={t('perPerson')} inputMode="numeric" {...field('per_user_limit')} />
      </div>
    </FormSection>
  )
}

/** Fields that few deals need; open if one is filled in or has a fault. */
export function More(part: Part & { place: { centre: Position; theme: 'auto' | 'paper' | 'river' } }) {
  const t = useTranslations('dealForm')
  const field = useField(part)
  const { draft, faults, place } = part
  const names = ['regular_price_chf', 'regular_price_since', 'price_chf', 'tags', 'terms', 'latitude', 'longitude']
  const [wasUsed] = useState(() => names.slice(0, 5).some((name) => draft.values[name]))
  return (
    <FoldedSection title={t('more')} open={wasUsed || names.some((name) => faults[name])}>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField label={t('usual')} inputMode="decimal" {...field('regular_price_chf')} />
        <TextField label={t('usualSince')} type="date" {...field('regular_price_since')} />
        {(draft.values['regular_price_chf'] || faults['price_chf']) &&
          amountIn(withoutCurrency(draft.values['price'] ?? '')) === null && (
            <TextField label={t('amount')} inputMode="decimal" {...field('price_chf')} />
          )}
      </div>
      <p className="-mt-2 text-sm text-ink-soft">{t('usualHelp')}</p>
      <TextArea label={t('terms')} {...field('terms')} />
      <TextField label={t('tags')} help={t('tagsHelp')} autoComplete="off" {...field('tags')} />
      <div className="grid gap-2">
        <p className="text-sm font-semibold">{t('place')}</p>
        <p className="text-sm text-ink-soft">{t('placeHelp')}</p>
        <PlaceField
          value={{ latitude: draft.values['latitude'] ?? '', longitude: draft.values['longitude'] ?? '' }}
          centre={place.centre}
          theme={place.theme}
          onChange={({ latitude, longitude }) => {
            draft.set('latitude', latitude)
            draft.set('longitude', longitude)
          }}
          faults={faults}
        />
      </div>
    </FoldedSection>
  )
}
