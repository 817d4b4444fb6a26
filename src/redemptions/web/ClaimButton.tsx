import { useEffect, useRef, useState, type ReactNode } from 'react'
import QrGlyph from 'lucide-react/icons/qr-code'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import type { Deal } from '../../deals/contract.ts'
import { ActionBar } from '../../kit/browser/ui/ActionBar.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { myCodesPage } from '../../site-map.ts'

const notReached = { claim: null, refused: { status: 0, code: 'offline', error: '' } }

/** Claims a deal and shows its code. `how`: how it is used. */
export function ClaimButton({ deal, how }: { deal: Pick<Deal, 'deal_id'>; how: ReactNode }) {
  const t = useTranslations('getCode')
  const navigate = useNavigate()
  const [sending, setSending] = useState(false)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const claim = async () => {
    setSending(true)
    const { claim, refused } = await import('./own-claims.ts').then(
      ({ claimCode }) => claimCode(deal.deal_id),
      () => notReached,
    )
    setSending(false)
    setRefused(refused)
    // visitors who have left the page are not moved
    if (claim && isShown.current) await navigate(myCodesPage(claim.claim_id))
  }
  return (
    <ActionBar note={!refused && how}>
      {refused && (
        <Notice kind={refused.status === 0 ? 'offline' : 'warn'} role="alert">
          {refused.error || t(refused.status === 0 ? 'offline' : 'failed')}
          {refused.code === 'sold_out' && <> {t('soldOut')}</>}
        </Notice>
      )}
      <Button
        variant="primary"
        size="lg"
        icon={<QrGlyph aria-hidden="true" className="size-5" />}
        loading={sending}
        loadingText={t('getting')}
        onClick={() => void claim()}
        wide
      >
        {t('get')}
      </Button>
    </ActionBar>
  )
}
