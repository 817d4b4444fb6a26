import { useState } from 'react'
import Undo2 from 'lucide-react/icons/undo-2'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import type { Redemption } from '../contract.ts'
import type { TillCalls } from './till.ts'
import { storedOffset } from './till-clock.ts'

/** Shown as long as the redemption can be undone; a refusal is shown beside it. */
export function UndoButton({
  id,
  until,
  undo,
  changed,
}: {
  id: string
  until: string
  undo: TillCalls['undo']
  changed: (redemption: Redemption) => void
}) {
  const t = useTranslations('redeem')
  const when = useWhen()
  const { takeBack, undoing, fault } = useUndo(id, undo, changed)
  // by the server's clock: the phone's may be fast
  if (Date.parse(until) <= when.now + (storedOffset() ?? 0)) return null
  return (
    <>
      <Button
        loading={undoing}
        onClick={takeBack}
        icon={<Undo2 aria-hidden="true" className="size-5" />}
        aria-label={t('undoUntil', { time: when.clock(until) })}
      >
        {t('undo')}
      </Button>
      {fault && (
        <span role="alert" className="text-sm font-semibold text-wine-text">
          {fault}
        </span>
      )}
    </>
  )
}

/** Undoes a redemption. `fault`: why the last try failed. */
export function useUndo(id: string, undo: TillCalls['undo'], changed: (redemption: Redemption) => void) {
  const t = useTranslations('redeem')
  const [undoing, setUndoing] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const takeBack = async () => {
    setUndoing(true)
    const { answer, refused } = await undo(id)
    setUndoing(false)
    setFault(refused ? refused.error || t('failed') : null)
    if (answer) changed(answer.body)
  }
  return { takeBack: () => void takeBack(), undoing, fault }
}
