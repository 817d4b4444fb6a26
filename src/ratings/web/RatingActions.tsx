import 'texts:rateForm'
import { useMemo, useState, type FormEvent } from 'react'
import Flag from 'lucide-react/icons/flag'
import Reply from 'lucide-react/icons/reply'
import { useTranslations } from 'use-intl'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { late } from '../../kit/browser/late.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { useEditDraft } from '../../kit/browser/use-edit-draft.ts'
import { type Rating, replyToRating } from '../contract.ts'

/** Few report a rating. */
const ReportRating = late(() => import('./ReportRating.tsx'))

/** What one can do with a rating: its merchant replies, others report it. */
export default function RatingActions({
  rating,
  isMerchant,
  replies,
  setReplies,
  changed,
}: {
  rating: Rating
  isMerchant: boolean
  /** Whether the reply is being written. */
  replies: boolean
  setReplies: (replies: boolean) => void
  changed: (rating: Rating) => void
}) {
  const t = useTranslations('rateForm')
  if (replies)
    return (
      <ReplyForm
        rating={rating}
        done={(answered) => {
          setReplies(false)
          if (answered) changed(answered)
        }}
      />
    )
  return (
    <p className="flex flex-wrap gap-x-2 print-hidden">
      {isMerchant && (
        <Button variant="quiet" icon={<Reply aria-hidden="true" className="size-5" />} onClick={() => setReplies(true)}>
          {t(rating.reply ? 'changeReply' : 'reply')}
        </Button>
      )}
      {!rating.own && <Report ratingId={rating.rating_id} />}
    </p>
  )
}

function ReplyForm({ rating, done }: { rating: Rating; done: (rating: Rating | null) => void }) {
  const t = useTranslations('rateForm')
  const saved = useMemo(() => ({ reply: rating.reply ?? '' }), [rating.reply])
  const draft = useEditDraft(`reply ${rating.rating_id}`, saved)
  const { send, isSending, refused } = useSend()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { answer } = await send(replyToRating, {
      as: 'action',
      params: { rating_id: rating.rating_id },
      body: { reply: draft.values['reply'] ?? '' },
    })
    if (!answer) return
    draft.sent()
    done(answer.body)
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid max-w-prose gap-3">
      <TextArea
        label={t('yourReply')}
        help={t('replyHelp')}
        error={refused ? refused.fields?.['reply'] || refused.error || t('failed') : undefined}
        rows={3}
        maxLength={500}
        value={draft.values['reply']}
        onChange={(event) => draft.set('reply', event.target.value)}
      />
      <p className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" loading={isSending} loadingText={t('saving')}>
          {t('saveReply')}
        </Button>
        <Button
          onClick={() => {
            draft.discard()
            done(null)
          }}
        >
          {t('cancel')}
        </Button>
      </p>
    </form>
  )
}

function Report({ ratingId }: { ratingId: string }) {
  const t = useTranslations('rateForm')
  const [state, setState] = useState<'untouched' | 'open' | 'closed' | 'done'>('untouched')
  return (
    <>
      {state !== 'done' && (
        <Button
          variant="quiet"
          icon={<Flag aria-hidden="true" className="size-4" />}
          onClick={() => setState('open')}
          className="text-sm"
        >
          {t('report')}
        </Button>
      )}
      {state !== 'untouched' && (
        <ReportRating
          ratingId={ratingId}
          state={state}
          close={() => setState('closed')}
          done={() => setState('done')}
        />
      )}
    </>
  )
}
