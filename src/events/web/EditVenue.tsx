import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { useSameKey } from '../../kit/browser/forms/use-same-key.ts'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { useEditDraft } from '../../kit/browser/use-edit-draft.ts'
import { editVenue, type Stage, type Venue } from '../contract.ts'
import { venueChanges, venueFieldsOf } from './venue-fields.ts'
import { VenueFields } from './VenueFields.tsx'

/** Form in which staff edit venues. Imported venues have no position until staff set one. */
export function EditVenue({ stages, onSaved }: { stages: Stage[] | null; onSaved: (stages: Stage[]) => void }) {
  const t = useTranslations('adminEvents')
  const [chosen, setChosen] = useState('')
  const venues = [...new Map(stages?.map(({ venue }) => [venue.venue_id, venue])).values()]
  const venue = venues.find(({ venue_id }) => venue_id === chosen)
  return (
    <details className="rounded-6 border-2 border-rule bg-surface p-3">
      <summary className="cursor-pointer py-2.5 font-semibold">{t('venues')}</summary>
      <div className="grid gap-4 pt-3">
        <Select label={t('stageVenue')} value={chosen} onChange={({ target }) => setChosen(target.value)}>
          <option value="">{t('chooseVenue')}</option>
          {venues.map(({ venue_id, venue_name, latitude }) => (
            <option key={venue_id} value={venue_id}>
              {latitude === null ? t('venueWithoutPosition', { venue: venue_name }) : venue_name}
            </option>
          ))}
        </Select>
        {venue && (
          <Form
            key={chosen}
            venue={venue}
            onSaved={(saved) =>
              onSaved(
                (stages ?? []).map((each) =>
                  each.venue.venue_id === saved.venue_id ? { ...each, venue: saved } : each,
                ),
              )
            }
          />
        )}
      </div>
    </details>
  )
}

function Form({ venue, onSaved }: { venue: Venue; onSaved: (venue: Venue) => void }) {
  const t = useTranslations('adminEvents')
  const saved = useMemo(() => venueFieldsOf(venue), [venue])
  const draft = useEditDraft(`venue ${venue.venue_id}`, saved)
  const { send, isSending, refused } = useSend()
  const [isSaved, setSaved] = useState(false)
  const same = useSameKey()
  async function save() {
    setSaved(false)
    const change = { params: { venue_id: venue.venue_id }, body: venueChanges(draft.values, draft.changed) }
    const { answer } = await send(editVenue, { ...change, as: 'action', idempotencyKey: same.keyOf(change) })
    if (!answer) return
    same.answered()
    draft.discard()
    setSaved(true)
    onSaved(answer.body)
  }
  return (
    <form
      className="grid gap-4"
      onSubmit={(submitted) => {
        submitted.preventDefault()
        void save()
      }}
    >
      <VenueFields values={draft.values} set={draft.set} faults={refused?.fields} />
      {isSaved && <Notice kind="success" title={t('saved')} />}
      {refused && <Refused refused={refused} />}
      <p>
        <Button type="submit" variant="primary" loading={isSending}>
          {t('save')}
        </Button>
      </p>
    </form>
  )
}
