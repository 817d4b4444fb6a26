import type { ReactElement, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { NoBusinessHere, useBusinessHere } from '../../accounts/web/guards.tsx'
import { LateScript, NoScript } from '../../accounts/web/parts.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { AccountPage, FormPage } from '../../kit/browser/ui/Page.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { page } from '../../site-map.ts'

/**
 * The frame of a merchant's pages below the dashboard. Without a business in this browser it shows `guest`: a sentence of the
 * specification, or an element. Before that is known, and without JavaScript, it says so.
 */
export function MerchantPage({
  title,
  description,
  lead,
  guest,
  isForm = false,
  children,
}: {
  title: string
  description: string
  lead?: string
  guest: string | ReactElement
  isForm?: boolean
  children: (businessId: string) => ReactNode
}) {
  const t = useTranslations('frame')
  const { known, businessId } = useBusinessHere()
  const Page = isForm ? FormPage : AccountPage
  return (
    <>
      <PageHead title={title} description={description} hidden />
      <Page
        title={title}
        lead={lead}
        className="print-hidden"
        above={
          <a
            href={page.dashboard}
            className={`link -my-2 inline-flex min-h-11 items-center justify-self-start ${isForm ? '' : 'text-on-deep'}`}
          >
            {t('dashboard')}
          </a>
        }
      >
        {businessId !== null ? (
          children(businessId)
        ) : !known ? (
          <>
            <NoScript kind="dashboard" />
            <LateScript kind="page" />
            <WaitingForm />
          </>
        ) : typeof guest === 'string' ? (
          <NoBusinessHere text={guest} />
        ) : (
          guest
        )}
      </Page>
    </>
  )
}

export const WaitingForm = () => <Waiting sizes={['h-16', 'h-32', 'h-16']} className="grid max-w-form gap-5" />
