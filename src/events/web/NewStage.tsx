import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useDraft } from '../../kit/browser/use-draft.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { Stage } from '../contract.ts'
import { createStage } from './staff-calls.ts'

const nothing = { stage: '', venue_id: '', venue_name: '', address: '', position: '', step_free: '' }

/** A stage that is not there yet, made beside the form of an event; it has fields of its own and is no form within one. */
export function NewStage({ stages, onMade }: { stages: Stage[]; onMade: (stage: Stage) => void }) {
  const t = useTranslations('adminEvents')
  const draft = useDraft('new stage', nothing)
  const said = draft.values as typeof nothing
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const [isSending, setSending] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const venues = [...new Map(stages.map(({ venue }) => [venue.venue_id, venue])).values()]
  const field = (name: keyof typeof nothing) => ({
    value: said[name],
    onChange: ({ target }: { target: { value: string } }) => draft.set(name, target.value),
  })
  async function make() {
    const [latitude, longitude] = said.position.split(/[,;\s]+/).map(Number)
    setSending(true)
    setMade(null)
    const { answer, refused: no } = await ask(callByFetch, createStage, {
      body: said.venue_id
        ? { stage: said.stage, venue_id: said.venue_id }
        : {
            stage: said.stage,
            venue_name: said.venue_name || null,
            address: said.address || null,
            ...(said.position ? { latitude: latitude ?? Number.NaN, longitude: longitude ?? Number.NaN } : {}),
            step_free: said.step_free === '' ? null : said.step_free === 'yes',
          },
      as: 'action',
    })
    setSending(false)
    setRefused(no)
    if (!answer) return
    draft.forget()
    setMade(answer.body.stage)
    onMade(answer.body)
  }
  const fault = (name: string) => refused?.fields?.[name]
  return (
    <details className="rounded-6 border-2 border-rule bg-surface p-3">
      <summary className="cursor-pointer py-1 font-semibold">{t('newStage')}</summary>
      <div className="grid gap-4 pt-3">
        {made && <Notice kind="success" title={t('stageMade', { stage: made })} />}
        {refused && <Notice kind="error" title={refused.error || t('failed')} />}
        <TextField label={t('stageName')} maxLength={120} error={fault('stage')} {...field('stage')} />
        <Select label={t('stageVenue')} {...field('venue_id')}>
          <option value="">{t('newVenue')}</option>
          {venues.map(({ venue_id, venue_name }) => (
            <option key={venue_id} value={venue_id}>
              {venue_name}
            </option>
          ))}
        </Select>
        {said.venue_id === '' && (
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label={t('venueName')} maxLength={120} error={fault('venue_name')} {...field('venue_name')} />
            <TextField label={t('venueAddress')} maxLength={200} error={fault('address')} {...field('address')} />
            <TextField
              label={t('venuePosition')}
              help="47.5606, 7.5931"
              error={fault('latitude') ?? fault('longitude')}
              {...field('position')}
            />
            <Select label={t('venueStepFree')} {...field('step_free')}>
              <option value="">{t('notKnown')}</option>
              <option value="yes">{t('yes')}</option>
              <option value="no">{t('no')}</option>
            </Select>
          </div>
        )}
        <p>
          <Button loading={isSending} onClick={() => void make()}>
            {t('makeStage')}
          </Button>
        </p>
      </div>
    </details>
  )
}
