import 'texts:accountForms,categories,editBusiness,forms,hoursEditor,merchantForms,pictures'
import { useMemo, useState } from 'react'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { useFaults } from '../../kit/browser/forms/use-faults.ts'
import { categories } from '../../brand/categories.ts'
import { ask, pageContext, accepted } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import type { FormValues } from '../../kit/browser/form-drafts.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useEditDraft } from '../../kit/browser/use-edit-draft.ts'
import { formTexts } from '../../kit/shared/form-text.ts'
import { businessPage, page } from '../../site-map.ts'
import { type BusinessForOwner, getBusiness } from '../contract.ts'
import { emptyProfileForm, updateBusiness } from '../contract/editing.ts'
import { FormSection } from './editing/FormSection.tsx'
import { Overtaken, Restored } from './editing/Overtaken.tsx'
import { PhotosField } from './editing/PhotosField.tsx'
import { PictureButton } from './editing/PictureButton.tsx'
import { PlaceField } from './editing/PlaceField.tsx'
import { SaveLine } from './editing/SaveLine.tsx'
import { Uploading } from './editing/uploading.ts'
import { useSave } from './editing/use-save.ts'
import { WeekEditor } from './editing/WeekEditor.tsx'
import { MerchantPage, WaitingForm } from './MerchantPage.tsx'

/** The document has no private data: scripts load it. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

function load({ context }: LoaderFunctionArgs) {
  const { theme, festival } = context.get(pageContext)
  return { theme, centre: { latitude: festival.latitude, longitude: festival.longitude } }
}
export { load as loader, load as clientLoader }

export default function EditBusinessScreen() {
  const frame = useTranslations('frame')
  const t = useTranslations('editBusiness')
  return (
    <MerchantPage title={t('title')} description={t('description')} guest={frame('guest.none')}>
      {(businessId) => <Loaded key={businessId} businessId={businessId} />}
    </MerchantPage>
  )
}

function Loaded({ businessId }: { businessId: string }) {
  const t = useTranslations('editBusiness')
  const { body, refused, again } = useAnswer(getBusiness, { as: 'background', params: { business_id: businessId } })
  if (refused) return <NotLoaded refused={refused} again={again} text={t('failedLoad')} />
  return body ? <ProfileForm business={body} reload={again} /> : <WaitingForm />
}

/** The form's values: one text per field; photos one per line. */
function fieldsOf(business: BusinessForOwner): FormValues {
  return {
    ...formTexts(emptyProfileForm, business),
    // a missing name is read as "–"
    business_name: business.business_name === '–' ? '' : business.business_name,
    photos: business.photos.join('\n'),
  }
}

/** Fields that the specification sends with every save. Others are sent only if changed. */
const specified = ['business_name', 'email', 'address', 'logo_url', 'description']

function ProfileForm({ business, reload }: { business: BusinessForOwner; reload: () => void }) {
  const frame = useTranslations('frame')
  const t = useTranslations('editBusiness')
  const pictures = useTranslations('pictures')
  const categoryName = useTranslations('categories')
  const { theme, centre } = useLoaderData<typeof load>()
  const saved = useMemo(() => fieldsOf(business), [business])
  const draft = useEditDraft(`${page.editBusiness} ${business.business_id}`, saved)
  const { values } = draft
  const [discarded, setDiscarded] = useState(0)
  const saving = useSave({ guest: frame('guest.none'), failed: t('failed') })
  const { form, faults, check } = useFaults(saving.outcome, saving.state === 'saving', values)
  const value = (name: string) => values[name] ?? ''
  const field = (name: string) => ({
    name,
    value: value(name),
    error: faults[name],
    onChange: ({ target }: { target: { value: string } }) => draft.set(name, target.value),
  })

  const send = (isAnyVersion: boolean) =>
    saving.save(
      () => {
        const body: Record<string, unknown> = {}
        for (const name of Object.keys(emptyProfileForm))
          if (specified.includes(name) || draft.changed.includes(name)) body[name] = value(name)
        if ('photos' in body) body['photos'] = value('photos').split('\n').filter(Boolean)
        // the server refuses one coordinate alone
        if ('latitude' in body || 'longitude' in body)
          Object.assign(body, { latitude: value('latitude'), longitude: value('longitude') })
        return ask(callByFetch, accepted(updateBusiness), {
          as: 'action',
          params: { business_id: business.business_id },
          body,
          ...(isAnyVersion ? {} : { ifMatch: business.updated_at }),
        })
      },
      () => {
        draft.sent()
        return null
      },
    )

  return (
    <form
      ref={form}
      noValidate
      aria-label={t('title')}
      onSubmit={(event) => {
        event.preventDefault()
        if (check(event)) void send(false)
      }}
      className="grid grid-cols-1 gap-6"
    >
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="grid grid-cols-1 gap-6">
          <FormSection title={t('about')}>
            <TextField label={t('name')} autoComplete="organization" {...field('business_name')} />
            <TextField
              label={t('email')}
              help={t('emailHelp')}
              type="email"
              inputMode="email"
              autoComplete="email"
              {...field('email')}
            />
            <TextField label={t('address')} autoComplete="street-address" {...field('address')} />
            <TextField
              label={t('logoUrl')}
              help={t('logoHelp')}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...field('logo_url')}
            />
            <Uploading value={saving.countUploading}>
              <PictureButton label={t('uploadLogo')} onUploaded={(path) => draft.set('logo_url', path)} />
            </Uploading>
            <TextArea label={t('shortDescription')} {...field('description')} />
            <Select label={t('kind')} {...field('category')}>
              {categories.map((each) => (
                <option key={each} value={each}>
                  {categoryName(each)}
                </option>
              ))}
            </Select>
          </FormSection>
          <FormSection title={t('contact')}>
            <TextField label={t('phone')} type="tel" autoComplete="tel" {...field('phone')} />
            <TextField label={t('website')} inputMode="url" autoComplete="url" {...field('website')} />
          </FormSection>
        </div>
        <div className="grid grid-cols-1 gap-6">
          <FormSection title={t('hours')} lead={t('hoursLead')}>
            <WeekEditor
              // remounts the editor when another version is shown
              key={`${saved['open_hours']} ${draft.conflicts.includes('open_hours')} ${discarded}`}
              value={value('open_hours')}
              onChange={(text) => draft.set('open_hours', text)}
              error={faults['open_hours']}
            />
          </FormSection>
          <FormSection title={t('place')} lead={t('placeLead')}>
            <PlaceField
              value={{ latitude: value('latitude'), longitude: value('longitude') }}
              centre={centre}
              theme={theme}
              onChange={(place) => {
                draft.set('latitude', place.latitude)
                draft.set('longitude', place.longitude)
              }}
              faults={faults}
            />
          </FormSection>
          <FormSection title={t('photos')} lead={t('photosLead')}>
            <Uploading value={saving.countUploading}>
              <PhotosField
                photos={value('photos').split('\n').filter(Boolean)}
                onChange={(photos) => draft.set('photos', photos.join('\n'))}
                error={faults['photos']}
              />
            </Uploading>
          </FormSection>
        </div>
      </div>
      <Restored draft={draft} saving={saving} onDiscard={() => setDiscarded((count) => count + 1)} />
      <Overtaken draft={draft} />
      <SaveLine saving={saving} again={() => void send(true)} reload={reload} />
      <div className="flex flex-wrap gap-3 max-sm:[&>*]:flex-1">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          loading={saving.state === 'saving' || saving.isUploading}
          loadingText={saving.isUploading ? pictures('sending') : t('saving')}
        >
          {t('save')}
        </Button>
        <ButtonLink href={businessPage(business.business_id)} size="lg">
          {t('publicPage')}
        </ButtonLink>
      </div>
    </form>
  )
}
