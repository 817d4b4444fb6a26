import 'texts:rateForm'
import { useMemo, useRef, useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { RatingInput } from '../../brand/RatingInput.tsx'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { useEditDraft } from '../../kit/browser/use-edit-draft.ts'
import { deleteRating, rateDeal, type Rating } from '../contract.ts'
import { draftOfRating } from './draft.ts'

/** Form for a visitor's one rating of a deal: send, change or delete it. The draft stays until it is sent or discarded. */
export default function RateForm({
  dealId,
  rating,
  saved,
  removed,
  cancel,
}: {
  dealId: string
  rating: Rating | null
  saved: (rating: Rating) => void
  removed: (rating: Rating) => void
  cancel: () => void
}) {
  const t = useTranslations('rateForm')
  const savedValues = useMemo(
    () => ({ stars: String(rating?.stars ?? 0), comment: rating?.comment ?? '' }),
    [rating?.stars, rating?.comment],
  )
  const draft = useEditDraft(draftOfRating(dealId), savedValues)
  const stars = Number(draft.values['stars']) || 0
  const comment = draft.values['comment'] ?? ''
  const [isMissing, setMissing] = useState(false)
  const firstStar = useRef<HTMLInputElement>(null)
  const { send, isSending, refused } = useSend()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setMissing(stars === 0)
    if (stars === 0) return firstStar.current?.focus()
    const { answer } = await send(rateDeal, {
      as: 'action',
      params: { deal_id: dealId },
      body: { stars, comment },
    })
    if (!answer) return
    draft.sent()
    saved(answer.body)
  }
  const remove = async () => {
    const { answer } = await send(deleteRating, { as: 'action', params: { deal_id: dealId } })
    if (!answer || !rating) return
    draft.sent()
    removed(rating)
  }
  return (
    <form
      onSubmit={(event) => void submit(event)}
      noValidate
      className="grid max-w-prose gap-4 rounded-6 border-2 border-rule bg-surface p-4"
      aria-label={t('rate')}
    >
      <RatingInput
        legend={t('yourStars')}
        name="stars"
        labels={[
          t('stars', { n: 1 }),
          t('stars', { n: 2 }),
          t('stars', { n: 3 }),
          t('stars', { n: 4 }),
          t('stars', { n: 5 }),
        ]}
        value={stars}
        error={isMissing ? t('starsMissing') : undefined}
        first={firstStar}
        onChange={(chosen) => {
          draft.set('stars', String(chosen))
          setMissing(false)
        }}
      />
      <TextArea
        label={t('comment')}
        help={t('commentHelp')}
        error={refused?.fields?.['comment']}
        rows={4}
        maxLength={500}
        value={comment}
        onChange={(event) => draft.set('comment', event.target.value)}
      />
      {refused && !refused.fields && (
        <Notice kind={refused.status === 0 ? 'offline' : 'error'}>
          {refused.error || t(refused.status === 0 ? 'offline' : 'failed')}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" loading={isSending} loadingText={t('saving')}>
          {t('save')}
        </Button>
        <Button
          onClick={() => {
            draft.discard()
            cancel()
          }}
        >
          {t('cancel')}
        </Button>
        {rating && (
          <Button variant="quiet" onClick={() => void remove()} disabled={isSending}>
            {t('remove')}
          </Button>
        )}
      </div>
    </form>
  )
}
