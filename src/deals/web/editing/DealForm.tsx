import { useState, type FormEvent, type ReactNode } from 'react'
import Eye from 'lucide-react/icons/eye'
import { useTimeZone, useTranslations } from 'use-intl'
import { useFaults } from '../../../kit/browser/forms/use-faults.ts'
import { Uploading } from '../../../businesses/web/editing/uploading.ts'
import type { Saving } from '../../../businesses/web/editing/use-save.ts'
import type { FormValues } from '../../../kit/browser/form-drafts.ts'
import type { EditDraft } from '../../../kit/browser/use-edit-draft.ts'
import { Button, ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../../kit/browser/ui/Dialog.tsx'
import { useWide } from '../../../kit/browser/use-wide.ts'
import type { Position } from '../../../kit/shared/geo.ts'
import type { Deal } from '../../contract.ts'
import { DealCard } from '../DealCard.tsx'
import { previewOf } from './deal-fields.ts'
import { More, Redeeming, What, When } from './DealFormSections.tsx'

/** The form of a deal, with a preview of its card. `onSend` gets the value of the pressed button: '' for the first one and after Enter. */
export function DealForm({
  title,
  draft,
  saving,
  of,
  place,
  hasPlace,
  lines,
  submit: { label, loading },
  second,
  onSend,
}: {
  title: string
  draft: EditDraft
  saving: Saving
  of: Pick<Deal, 'deal_id' | 'business_name' | 'is_premium'>
  place: { centre: Position; theme: 'auto' | 'paper' | 'river' }
  /** Whether the merchant has a place, which the deal takes by default. */
  hasPlace: boolean
  /** Above the buttons: what became of the save. */
  lines: ReactNode
  submit: { label: string; loading: string }
  /** The second button: another way to save, or a link. */
  second: { label: string } & ({ value: string; href?: never } | { href: string })
  onSend: (way: string) => void
}) {
  const t = useTranslations('dealForm')
  const pictures = useTranslations('pictures')
  const isBusy = saving.state === 'saving' || saving.isUploading
  const zone = useTimeZone() ?? 'Europe/Zurich'
  const { form, faults, check } = useFaults(saving.outcome, saving.state === 'saving', draft.values)
  const [previewing, setPreviewing] = useState(false)
  // phones render the preview only when opened: hidden, it would still render with each letter
  const isWide = useWide()
  const preview = (headingLevel: 'h2' | 'h3') => (
    <>
      <p className="text-sm text-ink-soft">{t('previewText')}</p>
      <div inert>
        <DealCard deal={previewOf(draft.values, of, zone)} headingLevel={headingLevel} />
      </div>
      <PreviewTexts values={draft.values} />
    </>
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    if (check(event)) onSend(submitter instanceof HTMLButtonElement ? submitter.value : '')
  }
  return (
    <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,46rem)_minmax(0,22rem)] lg:gap-12">
      <form ref={form} noValidate aria-label={title} onSubmit={submit} className="grid grid-cols-1 content-start gap-6">
        <Uploading value={saving.countUploading}>
          <What draft={draft} faults={faults} />
        </Uploading>
        <When draft={draft} faults={faults} />
        <Redeeming draft={draft} faults={faults} />
        <More draft={draft} faults={faults} place={place} />
        {!hasPlace && !draft.values['latitude'] && <p className="text-sm text-ink-soft">{t('noPlace')}</p>}
        {lines}
        {saving.state !== 'saved' && (
          <div className="flex flex-wrap gap-3 max-sm:[&>*]:flex-1">
            <Button
              type="submit"
              variant="primary"
              size="lg"
              loading={isBusy}
              loadingText={saving.isUploading ? pictures('sending') : loading}
            >
              {label}
            </Button>
            {second.href === undefined ? (
              <Button type="submit" value={second.value} size="lg" disabled={isBusy}>
                {second.label}
              </Button>
            ) : (
              <ButtonLink size="lg" href={second.href}>
                {second.label}
              </ButtonLink>
            )}
          </div>
        )}
        <Button
          className="justify-self-start lg:hidden"
          icon={<Eye aria-hidden="true" className="size-5" />}
          onClick={() => setPreviewing(true)}
        >
          {t('preview')}
        </Button>
      </form>
      <aside aria-label={t('preview')} className="max-lg:hidden">
        {isWide && <div className="sticky top-6 grid gap-3">{preview('h2')}</div>}
      </aside>
      <Dialog open={previewing} onClose={() => setPreviewing(false)} title={t('preview')} closeLabel={t('close')}>
        {previewing && preview('h3')}
      </Dialog>
    </div>
  )
}

/** Description and terms, as the page of the deal shows them. */
function PreviewTexts({ values }: { values: FormValues }) {
  const t = useTranslations('dealForm')
  const { description, terms } = values
  if (!description && !terms) return null
  return (
    <div className="grid gap-3 border-t-2 border-hair pt-3">
      <p className="text-sm text-ink-soft">{t('previewPage')}</p>
      {description && <p className="whitespace-pre-line wrap-anywhere">{description}</p>}
      {terms && (
        <p className="text-sm whitespace-pre-line text-ink-soft wrap-anywhere">
          {t('terms')}: {terms}
        </p>
      )}
    </div>
  )
}
