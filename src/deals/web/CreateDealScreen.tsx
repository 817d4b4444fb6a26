import 'texts:accountForms,categories,createDeal,dealForm,deals,forms,merchantForms,pictures'
import { useRef } from 'react'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { SessionOver } from '../../accounts/web/guards.tsx'
import { getBusiness } from '../../businesses/contract.ts'
import { SaveLine } from '../../businesses/web/editing/SaveLine.tsx'
import { useSave } from '../../businesses/web/editing/use-save.ts'
import { MerchantPage } from '../../businesses/web/MerchantPage.tsx'
import { ask, pageContext, readAs } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { newKey } from '../../kit/browser/new-key.ts'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useEditDraft } from '../../kit/browser/use-edit-draft.ts'
import { page } from '../../site-map.ts'
import { createDeal, emptyDealForm } from '../contract/editing.ts'
import { DealForm } from './editing/DealForm.tsx'
import { payloadOf } from './editing/deal-fields.ts'
import { noticeIn, readSaveAnswer } from './editing/save-answer.ts'

/** The document holds no private data: the browser loads it. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

function load({ context }: LoaderFunctionArgs) {
  const { theme, festival } = context.get(pageContext)
  return { theme, centre: { latitude: festival.latitude, longitude: festival.longitude } }
}
export { load as loader, load as clientLoader }

export default function CreateDealScreen() {
  const frame = useTranslations('frame')
  const t = useTranslations('createDeal')
  return (
    <MerchantPage title={t('title')} description={t('pageText')} guest={frame('guest.none')}>
      {(businessId) => <NewDeal key={businessId} businessId={businessId} />}
    </MerchantPage>
  )
}

function NewDeal({ businessId }: { businessId: string }) {
  const frame = useTranslations('frame')
  const t = useTranslations('createDeal')
  const place = useLoaderData<typeof load>()
  // only for the preview and a hint, so the form does not wait for it
  const { body: business, refused } = useAnswer(getBusiness, { as: 'background', params: { business_id: businessId } })
  const draft = useEditDraft(`${page.createDeal} ${businessId}`, emptyDealForm)
  const saving = useSave({ guest: frame('guest.none'), failed: t('failed') })
  const isTried = useRef(false)
  const send = (isDraft: boolean) =>
    void saving.save(
      () => {
        const body = {
          ...payloadOf(draft.values, draft.changed),
          deal_name: draft.values['deal_name'] ?? '',
          ...(isDraft ? { draft: true } : {}),
        }
        // the key outlives a reload: a save that failed may have arrived, and a correction is to change that deal. After a reload other
        // content means another deal
        const sent = JSON.stringify(body)
        const isSame = isTried.current || draft.values['said'] === sent
        const key = (isSame && draft.values['key']) || newKey()
        isTried.current = true
        draft.set('key', key)
        draft.set('said', sent)
        return ask(callByFetch, readAs(createDeal, readSaveAnswer), { as: 'action', idempotencyKey: key, body })
      },
      (answer) => {
        draft.sent()
        return noticeIn(answer)
      },
    )
  if (refused?.status === 401) return <SessionOver />
  return (
    <DealForm
      title={t('title')}
      draft={draft}
      saving={saving}
      of={{
        deal_id: 'new',
        business_name: business?.business_name ?? '',
        is_premium: (business?.subscription_tier ?? 'FREE') !== 'FREE',
      }}
      place={place}
      hasPlace={business === null || business.latitude !== null}
      onSend={(way) => send(way === 'draft')}
      lines={<SaveLine saving={saving} />}
      submit={{ label: t('publish'), loading: t('saving') }}
      second={{ value: 'draft', label: t('saveDraft') }}
    />
  )
}
