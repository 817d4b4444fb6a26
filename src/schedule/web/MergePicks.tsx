import { useEffect, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { scheduleOutbox, usePicks } from '../../kit/browser/picks.ts'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { retryUntilDone } from '../../kit/browser/retry-until-done.ts'
import { isTemporary } from '../../kit/shared/refusal.ts'
import { bringIn, unpick } from './my-schedule.ts'

/** After a login, imports a guest's picks of this phone into the schedule, and says so. */
export default function MergePicks(): ReactNode {
  const t = useTranslations('picks')
  const picks = usePicks(scheduleOutbox)
  const { note, show, close } = useToast()
  useEffect(() => {
    if (picks.length === 0) return
    let isLate = false
    const ids = picks.map(({ id }) => id)
    const stop = retryUntilDone(async () => {
      const { answer, refused } = await bringIn(ids, 'background')
      if (!answer) return !isTemporary(refused!)
      unpick(ids)
      if (!isLate)
        show({ text: t('merged', { n: answer.added + answer.already, full: answer.full, gone: answer.unknown }) })
      return true
    })
    return () => {
      isLate = true
      stop()
    }
  }, [picks, show, t])
  return <Toast note={note} onClose={close} closeLabel={t('close')} />
}
