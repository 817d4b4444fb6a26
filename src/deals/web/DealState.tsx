import { useTranslations } from 'use-intl'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import type { Deal, DealTimes } from '../contract.ts'
import { useDealWhen } from './deal-when.ts'

/** When a deal can be used, and whether its time ends before one is there. */
export function DealState({
  deal,
  isTooFar,
  size = 'sm',
}: {
  deal: DealTimes & { status?: Deal['status'] }
  isTooFar: boolean
  size?: 'sm' | 'lg'
}) {
  const t = useTranslations('way')
  const { state, text } = useDealWhen(deal)
  return (
    <>
      <OpenState state={isTooFar ? 'closed' : state} size={size}>
        {text}
      </OpenState>
      {isTooFar && (
        <span className={`font-semibold text-ink-soft ${size === 'lg' ? '' : 'text-sm'}`}>{t('tooFar')}</span>
      )}
    </>
  )
}
