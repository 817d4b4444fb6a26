import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { NoBusinessHere, useBusinessHere } from '../../accounts/web/guards.tsx'
import { LateScript, NoScript } from '../../accounts/web/parts.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { PageBand } from '../../kit/browser/ui/PageBand.tsx'
import { page } from '../../site-map.ts'

/**
 * The frame of a merchant's pages. Without a business in this browser it shows `guest`, a sentence of the specification, and no
 * content; before that is known, and without JavaScript, it says so.
 */
export function MerchantPage({
  title,
  description,
  guest,
  children,
}: {
  title: string
  description: string
  guest: string
  children: (businessId: string) => ReactNode
}) {
  const t = useTranslations('merchantForms')
  const { known, businessId } = useBusinessHere()
  return (
    <>
      <PageHead title={title} description={description} hidden />
      <PageBand
        kind="river"
        title={title}
        above={
          <p>
            <a href={page.dashboard} className="link inline-flex min-h-11 items-center text-on-deep">
              {t('toDashboard')}
            </a>
          </p>
        }
      />
      <div className="shell grid grid-cols-1 gap-6 py-6 md:py-10">
        {businessId !== null ? (
          children(businessId)
        ) : known ? (
          <NoBusinessHere text={guest} />
        ) : (
          <>
            <NoScript kind="dashboard" />
            <LateScript kind="page" />
            <WaitingForm />
          </>
        )}
      </div>
    </>
  )
}

export const WaitingForm = () => <Waiting sizes={['h-16', 'h-32', 'h-16']} className="grid max-w-form gap-5" />
