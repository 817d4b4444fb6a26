import { useState, type FormEvent, type ReactNode } from 'react'
import { BadgeCheck, Flag, Reply } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { StarShape } from '../../brand/Badge.tsx'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useSession, useStored } from '../../kit/browser/session.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import type { Rating } from '../contract.ts'
import { replyToRating, reportRating } from './calls.ts'

/** One rating with the merchant's reply. `about`: the deal, where the list is of several. */
export function RatingItem({
  rating,
  businessId,
  about,
  changed,
}: {
  rating: Rating
  businessId: string
  about?: ReactNode
  changed: (rating: Rating) => void
}) {
  const t = useTranslations('ratings')
  const when = useWhen()
  const session = useSession()
  const isMerchant = useStored('businessId') === businessId && session === 'business'
  const [replies, setReplies] = useState(false)
  return (
    <li className="grid gap-2 py-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars stars={rating.stars} label={t('stars', { n: rating.stars })} />
        <strong className="[overflow-wrap:anywhere]">{rating.author_name ?? t('deletedUser')}</strong>
        {rating.verified && (
          <span className="inline-flex items-center gap-1 text-sm font-semibold text-moss-text">
            <BadgeCheck aria-hidden="true" className="size-4" />
            {t('verified')}
          </span>
        )}
        {rating.updated_at && <span className="text-sm text-ink-soft">{when.day(rating.updated_at)}</span>}
      </p>
      {about}
      {rating.comment && <p className="max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">{rating.comment}</p>}
      {rating.reply && !replies && (
        <div className="grid max-w-prose gap-1 border-l-4 border-water pl-3">
          <p className="text-sm font-semibold">{t('replyOf')}</p>
          <p className="whitespace-pre-line [overflow-wrap:anywhere]">{rating.reply}</p>
        </div>
      )}
      {replies ? (
        <ReplyForm
          rating={rating}
          done={(answered) => {
            setReplies(false)
            if (answered) changed(answered)
          }}
        />
      ) : (
        session !== 'guest' && (
          <p className="flex flex-wrap gap-x-2 print-hidden">
            {isMerchant && (
              <Button
                variant="quiet"
                icon={<Reply aria-hidden="true" className="size-5" />}
                onClick={() => setReplies(true)}
              >
                {t(rating.reply ? 'changeReply' : 'reply')}
              </Button>
            )}
            {!rating.own && <Report ratingId={rating.rating_id} />}
          </p>
        )
      )}
    </li>
  )
}

function Stars({ stars, label }: { stars: number; label: string }) {
  return (
    <span>
      <span className="sr-only">{label}</span>
      <span aria-hidden="true" className="inline-flex gap-0.5">
        {[1, 2, 3, 4, 5].map((each) => (
          <StarShape
            key={each}
            className={`size-5 stroke-lantern-text ${each <= stars ? 'fill-lantern' : 'fill-transparent'}`}
          />
        ))}
      </span>
    </span>
  )
}

function ReplyForm({ rating, done }: { rating: Rating; done: (rating: Rating | null) => void }) {
  const t = useTranslations('ratings')
  const [reply, setReply] = useState(rating.reply ?? '')
  const [fault, setFault] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setSending(true)
    const { answer, refused } = await ask(callByFetch, replyToRating, {
      as: 'action',
      params: { rating_id: rating.rating_id },
      body: { reply },
    })
    setSending(false)
    if (answer) done(answer.body)
    else setFault(refused.fields?.['reply'] || refused.error || t('failed'))
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid max-w-prose gap-3">
      <TextArea
        label={t('yourReply')}
        help={t('replyHelp')}
        error={fault ?? undefined}
        rows={3}
        maxLength={500}
        value={reply}
        onChange={(event) => setReply(event.target.value)}
      />
      <p className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" loading={sending} loadingText={t('saving')}>
          {t('saveReply')}
        </Button>
        <Button onClick={() => done(null)}>{t('cancel')}</Button>
      </p>
    </form>
  )
}

function Report({ ratingId }: { ratingId: string }) {
  const t = useTranslations('ratings')
  const [state, setState] = useState<'open' | 'sending' | 'done'>('open')
  const [fault, setFault] = useState<string | null>(null)
  const report = async () => {
    setState('sending')
    const { refused } = await ask(callByFetch, reportRating, { as: 'action', params: { rating_id: ratingId } })
    setState(refused ? 'open' : 'done')
    setFault(refused ? refused.error || t('failed') : null)
  }
  if (state === 'done')
    return <output className="inline-flex min-h-11 items-center px-3 text-sm">{t('reported')}</output>
  return (
    <>
      <Button
        variant="quiet"
        loading={state === 'sending'}
        icon={<Flag aria-hidden="true" className="size-4" />}
        onClick={() => void report()}
        className="text-sm"
      >
        {t('report')}
      </Button>
      {fault && (
        <span role="alert" className="self-center text-sm font-semibold text-wine-text">
          {fault}
        </span>
      )}
    </>
  )
}
