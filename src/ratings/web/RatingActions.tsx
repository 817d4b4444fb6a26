import 'texts:rateForm'
import { useMemo, type FormEvent } from 'react'
import Reply from 'lucide-react/icons/reply'
import { useTranslations } from 'use-intl'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { late } from '../../kit/browser/late.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { useEditDraft } from '../../kit/browser/use-edit-draft.ts'
import { type Rating, replyToRating } from '../contract.ts'
import { ReportButton } from './ReportButton.tsx'

const ReportRating = late(() => import('./ReportRating.tsx'))

/** The rated merchant replies; everybody but the author reports. */
export default function RatingActions({
  rating,
  isMerchant,
  replies,
  setReplies,
  changed,
}: {
  rating: Rating
  isMerchant: boolean
  /** The reply form is open. */
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
      {!rating.own && (
        <ReportButton
          label={t('report')}
          className="text-sm"
          dialog={(props) => <ReportRating ratingId={rating.rating_id} {...props} />}
        />
      )}
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
