import 'texts:unsentScans'
import { useMemo } from 'react'
import ScanLine from 'lucide-react/icons/scan-line'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useSession, useStored } from '../../accounts/web/session.ts'
import { TopLine } from '../../kit/browser/ui/TopLine.tsx'
import { page } from '../../site-map.ts'
import { tillHere, type ScansOf } from './unsent-scans.ts'
import { useUnsentScans } from './use-unsent-scans.ts'

/** On every page of a till: sends its offline scans, and links to those that could not count. */
export default function UnsentScans() {
  const session = useSession()
  const businessId = useStored('businessId')
  // the page for redeeming sends and shows them itself
  const isTill = useLocation().pathname === page.redeem
  const till = useMemo(() => (isTill ? null : tillHere(session, businessId)), [isTill, session, businessId])
  return till && <Line till={till} />
}

function Line({ till }: { till: ScansOf }) {
  const t = useTranslations('unsentScans')
  const { waiting, conflicts } = useUnsentScans(till)
  if (waiting.length + conflicts.length === 0) return null
  return (
    <TopLine label={t('title')} Icon={ScanLine}>
      <output>
        {[
          waiting.length > 0 && t('waiting', { n: waiting.length }),
          conflicts.length > 0 && t('conflicts', { n: conflicts.length }),
        ]
          .filter(Boolean)
          .join(' ')}
      </output>{' '}
      <a href={page.redeem} className="link target font-semibold">
        {t('show')}
      </a>
    </TopLine>
  )
}
