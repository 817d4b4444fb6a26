import 'texts:accountForms,categories,dealForm,deals,editDeal,forms,merchantForms,ownDeals,pictures'
import { useMemo, useRef, type ReactNode } from 'react'
import { useLoaderData, useParams, type LoaderFunctionArgs } from 'react-router'
import { useTimeZone, useTranslations } from 'use-intl'
import { Overtaken, Restored } from '../../businesses/web/editing/Overtaken.tsx'
import { SaveLine } from '../../businesses/web/editing/SaveLine.tsx'
import { useSave } from '../../businesses/web/editing/use-save.ts'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { MerchantPage, WaitingForm } from '../../businesses/web/MerchantPage.tsx'
import { ask, pageContext, readAs } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useEditDraft } from '../../kit/browser/use-edit-draft.ts'
import { dealPage, editDealPage } from '../../site-map.ts'
import { type Deal, getDeal, listDealsOfBusiness } from '../contract.ts'
import { resumeDeal, updateDeal } from '../contract/editing.ts'
import { noticeIn, readSaveAnswer, type SaveAnswer } from './editing/save-answer.ts'
import { DealForm } from './editing/DealForm.tsx'
import { fieldsOf, payloadOf } from './editing/deal-fields.ts'

/** The document holds no private data: the browser loads it. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

function load({ context }: LoaderFunctionArgs) {
  const { theme, festival } = context.get(pageContext)
  return { theme, centre: { latitude: festival.latitude, longitude: festival.longitude } }
}
export { load as loader, load as clientLoader }

export default function EditDealScreen() {
  const frame = useTranslations('frame')
  const t = useTranslations('editDeal')
  const { deal_id: dealId = '' } = useParams()
  return (
    <MerchantPage title={t('title')} description={t('pageText')} guest={frame('guest.editDeal')}>
      {(businessId) => <Loaded key={dealId} dealId={dealId} businessId={businessId} />}
    </MerchantPage>
  )
}

function Loaded({ dealId, businessId }: { dealId: string; businessId: string }) {
  const t = useTranslations('editDeal')
  const { body, refused, again } = useAnswer(getDeal, { as: 'background', params: { deal_id: dealId } })
  if (refused) return <NotLoaded refused={refused} again={again} text={t('failedLoad')} />
  if (!body) return <WaitingForm />
  // an answer with the specified fields only does not name the business
  if (body.business_id && body.business_id !== businessId)
    return (
      <Notice kind="warn" action={<ButtonLink href={dealPage(dealId)}>{t('view')}</ButtonLink>}>
        {t('notYours')}
      </Notice>
    )
  const form = <EditedDeal deal={body} reload={again} />
  return body.status === 'archived' ? (
    <UnlessHidden dealId={dealId} businessId={businessId}>
      {form}
    </UnlessHidden>
  ) : (
    form
  )
}

/** Says why a deal that staff have hidden cannot be edited. Deals archived by their merchant are not in the list of own deals. */
function UnlessHidden({ dealId, businessId, children }: { dealId: string; businessId: string; children: ReactNode }) {
  const own = useTranslations('ownDeals')
  const { body, refused } = useAnswer(listDealsOfBusiness, { as: 'background', params: { business_id: businessId } })
  if (!body && !refused) return <WaitingForm />
  const hidden = body?.find(({ deal_id }) => deal_id === dealId)
  if (!hidden) return children
  const { hidden_reason: reason, hidden_with_merchant } = hidden
  const text = reason ? own('hiddenReason', { reason }) : own(hidden_with_merchant ? 'hiddenWithMerchant' : 'hidden')
  return <Notice kind="warn">{text}</Notice>
}

function EditedDeal({ deal, reload }: { deal: Deal; reload: () => void }) {
  const frame = useTranslations('frame')
  const t = useTranslations('editDeal')
  const place = useLoaderData<typeof load>()
  const zone = useTimeZone() ?? 'Europe/Zurich'
  const saved = useMemo(() => fieldsOf(deal, zone), [deal, zone])
  const draft = useEditDraft(editDealPage(deal.deal_id), saved)
  const saving = useSave({ guest: frame('guest.editDeal'), failed: t('failed') })
  const at = { as: 'action', params: { deal_id: deal.deal_id } } as const

  // "Save my version" publishes if the refused save was to publish
  const publishesAgain = useRef(false)
  const send = (isAnyVersion: boolean, andPublish: boolean) => {
    publishesAgain.current = andPublish
    let first: SaveAnswer | null = null
    void saving.save(
      async () => {
        const outcome = await ask(callByFetch, readAs(updateDeal, readSaveAnswer), {
          ...at,
          body: payloadOf(draft.values, draft.changed),
          ...(isAnyVersion || !deal.updated_at ? {} : { ifMatch: deal.updated_at }),
        })
        if (!outcome.answer || !andPublish) return outcome
        first = outcome.answer.body
        draft.sent(false)
        const published = await ask(callByFetch, readAs(resumeDeal, readSaveAnswer), at)
        // the save itself succeeded, so the next one needs the new version
        if (published.refused) reload()
        return published
      },
      (last) => {
        draft.sent()
        return noticeIn(last) ?? (first && noticeIn(first))
      },
    )
  }

  return (
    <DealForm
      title={t('title')}
      draft={draft}
      saving={saving}
      of={deal}
      place={place}
      hasPlace={deal.latitude !== null}
      onSend={(way) => send(false, way === 'publish')}
      lines={
        <>
          <Restored draft={draft} saving={saving} />
          <Overtaken draft={draft} />
          <SaveLine saving={saving} again={() => send(true, publishesAgain.current)} reload={reload} />
        </>
      }
      submit={{ label: t('save'), loading: t('saving') }}
      second={
        deal.status === 'draft'
          ? { value: 'publish', label: t('publish') }
          : { href: dealPage(deal.deal_id), label: t('view') }
      }
    />
  )
}
