import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { useTranslations } from 'use-intl'
import type { Deal } from '../../deals/contract.ts'
import { DealRating } from '../../deals/web/DealRating.tsx'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { readFormDraft } from '../../kit/browser/form-drafts.ts'
import { late } from '../../kit/browser/late.tsx'
import { useKnownSession, useStored } from '../../accounts/web/session.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { dealPage, loginPageWithNext, page } from '../../site-map.ts'
import { listRatings, type Rating } from '../contract.ts'
import { mayRate } from '../policy.ts'
import { draftOfRating } from './draft.ts'
import type { RatingPage } from './first-ratings.ts'
import { RatingItem } from './RatingItem.tsx'

const RateForm = late(() => import('./RateForm.tsx'))

/** Ratings of a deal, and the form to rate it. `first` is loaded with the page, so it is there without JavaScript. */
export function DealRatings({ deal, first }: { deal: Deal; first: RatingPage }) {
  const t = useTranslations('ratings')
  const session = useKnownSession()
  const alive = useHydrated()
  // reloads the page's data, for the mean above the list and in the deal's facts
  const { revalidate } = useRevalidator()
  const isVisitor = session === 'user'
  const mayWrite = mayRate(useStored('userType'))
  // limit 1, because the list begins with the visitor's own rating
  const own = useAnswer(
    listRatings,
    alive && isVisitor ? { as: 'background', params: { deal_id: deal.deal_id }, query: { limit: 1 } } : null,
  )
  const [more, setMore] = useState<RatingPage | null>(null)
  const [changed, setChanged] = useState<Rating[]>([])
  const [gone, setGone] = useState<string[]>([])
  const [opened, setWrites] = useState<boolean | null>(null)
  const [isLoading, setLoading] = useState(false)
  const [failed, setFailed] = useState<'failed' | 'offline' | null>(null)
  // a draft from before a reload or a login opens the form
  const writes = opened ?? (mayWrite && alive && Object.keys(readFormDraft(draftOfRating(deal.deal_id))).length > 0)
  const isMine = (each: Rating) => each.own && !gone.includes(each.rating_id)
  const myRating = changed.find(isMine) ?? own.body?.find(isMine) ?? null
  const others = [...first.ratings, ...(more?.ratings ?? [])].filter(
    ({ rating_id }) => ![...gone, myRating?.rating_id].includes(rating_id),
  )
  const shown = [...(myRating ? [myRating] : []), ...others].map(
    (each) => changed.find(({ rating_id }) => rating_id === each.rating_id) ?? each,
  )
  const next = more ? more.next : first.next
  const put = (rating: Rating) =>
    setChanged((all) => [...all.filter(({ rating_id }) => rating_id !== rating.rating_id), rating])
  const refresh = () => {
    // one rating more or less shifts later pages: keeping them would skip or repeat a rating
    setMore(null)
    void revalidate()
  }
  const load = async () => {
    setLoading(true)
    const { answer, refused } = await ask(callByFetch, listRatings, {
      params: { deal_id: deal.deal_id },
      query: { limit: 20, after: next ?? undefined },
    })
    setLoading(false)
    setFailed(refused && (refused.status === 0 ? 'offline' : 'failed'))
    if (answer) setMore({ ratings: [...(more?.ratings ?? []), ...answer.body], next: answer.next })
  }
  return (
    <section aria-labelledby="ratings" className="grid content-start gap-4">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id="ratings">{t('title')}</h2>
        <DealRating deal={deal} />
      </div>
      {writes ? (
        <RateForm
          dealId={deal.deal_id}
          rating={myRating}
          saved={(rating) => {
            setWrites(false)
            put(rating)
            refresh()
          }}
          removed={(rating) => {
            setWrites(false)
            setGone((all) => [...all, rating.rating_id])
            refresh()
          }}
          cancel={() => setWrites(false)}
        />
      ) : session === 'guest' ? (
        <p className="print-hidden">
          <ButtonLink href={loginPageWithNext(page.userLogin, `${dealPage(deal.deal_id)}#ratings`)}>
            {t('logInToRate')}
          </ButtonLink>
        </p>
      ) : (
        mayWrite && (
          <p className="print-hidden">
            <Button onClick={() => setWrites(true)}>{t(myRating ? 'changeRating' : 'rate')}</Button>
          </p>
        )
      )}
      {shown.length === 0 ? (
        <p className="text-ink-soft">{t('none')}</p>
      ) : (
        <ul className="grid divide-y-2 divide-hair border-y-2 border-rule">
          {shown.map((rating) => (
            <RatingItem key={rating.rating_id} rating={rating} businessId={deal.business_id} changed={put} />
          ))}
        </ul>
      )}
      {failed && <Notice kind={failed === 'offline' ? failed : 'warn'}>{t(failed)}</Notice>}
      {next && alive && (
        <Button loading={isLoading} onClick={() => void load()} className="justify-self-start">
          {t('more')}
        </Button>
      )}
    </section>
  )
}
