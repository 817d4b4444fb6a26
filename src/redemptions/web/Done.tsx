import { useEffect, useRef } from 'react'
import Check from 'lucide-react/icons/check'
import Undo2 from 'lucide-react/icons/undo-2'
import { useTranslations } from 'use-intl'
import { chf } from '../../kit/shared/numbers.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import type { Redemption } from '../contract.ts'
import type { TillCalls } from './till.ts'
import { useUndo } from './UndoButton.tsx'

/** The redemption, big enough to be read across a bar, with undo. */
export function Done({
  redemption,
  undo,
  changed,
  onNext,
}: {
  redemption: Redemption
  undo: TillCalls['undo']
  changed: (redemption: Redemption) => void
  onNext: () => void
}) {
  const t = useTranslations('redeem')
  const when = useWhen()
  const next = useRef<HTMLButtonElement>(null)
  const { takeBack, undoing, fault } = useUndo(redemption.redemption_id, undo, changed)
  const isUndone = redemption.state === 'undone'
  // so that Enter goes on to the next code
  useEffect(() => next.current?.focus(), [])
  return (
    <div className="grid gap-4">
      <output
        className={`grid gap-1 rounded-6 border-2 border-night p-5 ${isUndone ? 'bg-well text-ink' : 'bg-moss text-on-moss'}`}
      >
        <span className="flex items-center gap-2 text-lg font-semibold">
          {isUndone ? <Undo2 aria-hidden="true" /> : <Check aria-hidden="true" />}
          {t(isUndone ? 'undone' : 'redeemed')}
        </span>
        <span className="figure text-3xl">{chf(redemption.amount_chf)}</span>
        <span className="[overflow-wrap:anywhere]">{redemption.deal_name}</span>
      </output>
      {fault && <Notice kind="error">{fault}</Notice>}
      <Button ref={next} variant="primary" size="lg" wide onClick={onNext}>
        {t('next')}
      </Button>
      {redemption.undo_until && (
        <Button
          variant="quiet"
          loading={undoing}
          onClick={takeBack}
          icon={<Undo2 aria-hidden="true" className="size-5" />}
          className="justify-self-start"
        >
          {t('undoUntil', { time: when.clock(redemption.undo_until) })}
        </Button>
      )}
    </div>
  )
}
