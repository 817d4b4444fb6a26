import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { NoBusinessHere, useBusinessHere } from '../../accounts/web/guards.tsx'
import { LateScript } from '../../accounts/web/parts.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { PageBand } from '../../kit/browser/ui/PageBand.tsx'

/** Frame of a merchant's payment pages: title, and the private content once the browser knows the business. */
export function BusinessPage({
  title,
  description,
  lead,
  guest,
  children,
}: {
  title: string
  description: string
  lead?: ReactNode
  /** Text for browsers without a business; absent: the page is shown anyway. */
  guest?: string
  children: (businessId: string | null) => ReactNode
}) {
  const t = useTranslations('paying')
  const { known, businessId } = useBusinessHere()
  return (
    <>
      <PageHead title={title} description={description} hidden />
      <PageBand kind="river" title={title} lead={lead} className="print:hidden" />
      <div className="shell grid grid-cols-1 gap-8 py-8 md:py-12">
        <noscript>
          <Notice kind="warn">{t('noScript')}</Notice>
        </noscript>
        <LateScript kind="page" />
        {!known ? (
          <Waiting sizes={['h-64']} />
        ) : businessId === null && guest !== undefined ? (
          <NoBusinessHere text={guest} />
        ) : (
          children(businessId)
        )}
      </div>
    </>
  )
}
