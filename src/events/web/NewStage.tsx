import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { newKey } from '../../kit/browser/new-key.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useEditDraft } from '../../kit/browser/use-edit-draft.ts'
import { createStage, type Stage } from '../contract.ts'
import { venueFieldsOf, venueBody } from './venue-fields.ts'
import { VenueFields } from './VenueFields.tsx'

const nothing = { stage: '', venue_id: '', key: '', ...venueFieldsOf(null) }

/** Creates a stage beside the form of an event. No <form> of its own: forms cannot be nested. */
export function NewStage({ stages, onMade }: { stages: Stage[]; onMade: (stage: Stage) => void }) {
  const t = useTranslations('adminEvents')
  const draft = useEditDraft('new stage', nothing)
  const value = draft.values as typeof nothing
  const { send, isSending, refused } = useSend()
  const [made, setMade] = useState<string | null>(null)
  const venues = [...new Map(stages.map(({ venue }) => [venue.venue_id, venue])).values()]
  const set = (name: string, value: string) => {
    draft.set(name, value)
    // a changed stage must not reuse the key: the first request may have created one
    draft.set('key', '')
  }
  const field = (name: keyof typeof nothing) => ({
    value: value[name],
    onChange: ({ target }: { target: { value: string } }) => set(name, target.value),
  })
  async function make() {
    setMade(null)
    const key = value.key || newKey()
    draft.set('key', key)
    const { answer } = await send(createStage, {
      body: value.venue_id
        ? { stage: value.stage, venue_id: value.venue_id }
        : { stage: value.stage, ...venueBody(value) },
      as: 'action',
      idempotencyKey: key,
    })
    if (!answer) return
    draft.discard()
    setMade(answer.body.stage)
    onMade(answer.body)
  }
  return (
    <details className="rounded-6 border-2 border-rule bg-surface p-3">
      <summary className="cursor-pointer py-2.5 font-semibold">{t('newStage')}</summary>
      <div
        role="presentation"
        className="grid gap-4 pt-3"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
          // Enter would submit the form around it
          event.preventDefault()
          if (!isSending) void make()
        }}
      >
        {made && <Notice kind="success" title={t('stageMade', { stage: made })} />}
        {refused && <Refused refused={refused} />}
        <TextField label={t('stageName')} maxLength={120} error={refused?.fields?.['stage']} {...field('stage')} />
        <Select label={t('stageVenue')} {...field('venue_id')}>
          <option value="">{t('newVenue')}</option>
          {venues.map(({ venue_id, venue_name }) => (
            <option key={venue_id} value={venue_id}>
              {venue_name}
            </option>
          ))}
        </Select>
        {value.venue_id === '' && <VenueFields values={value} set={set} faults={refused?.fields} />}
        <p>
          <Button loading={isSending} onClick={() => void make()}>
            {t('makeStage')}
          </Button>
        </p>
      </div>
    </details>
  )
}
