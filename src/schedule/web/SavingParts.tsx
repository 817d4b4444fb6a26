import 'texts:events,saving'
import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { isInSchedule, savedEntries, useMySchedule, type SavedEvent } from './my-schedule.ts'
import { answerPresses, isSaved, updateSaved } from './saved.ts'
import { useSaving, type ClashQuestion } from './use-saving.ts'
import { useTimes } from './use-times.ts'

/** Handles presses of save buttons: saves, asks about clashes, shows toasts. */
export default function SavingParts() {
  const t = useTranslations('saving')
  const { note, show, close } = useToast()
  const [question, setQuestion] = useState<ClashQuestion | null>(null)
  const schedule = useMySchedule()
  useLayoutEffect(() => updateSaved(isInSchedule), [schedule])
  // a transition, so that the tapped button changes first
  const { save, saveAnyway, unsave } = useSaving((text) => startTransition(() => show(text)), setQuestion)
  const answer = useEffectEvent((event: SavedEvent) =>
    isSaved(event.event_id) ? unsave(event) : save(event, savedEntries()),
  )
  useEffect(() => {
    answerPresses((event) => answer(event))
    return () => answerPresses(null)
  }, [])
  return (
    <>
      <ClashDialog question={question} onClose={() => setQuestion(null)} saveAnyway={saveAnyway} />
      <Toast note={note} onClose={close} closeLabel={t('close')} />
    </>
  )
}

function ClashDialog({
  question,
  onClose,
  saveAnyway,
}: {
  question: ClashQuestion | null
  onClose: () => void
  saveAnyway: (event: SavedEvent, replaced: ClashQuestion['others']) => void
}) {
  const t = useTranslations('saving')
  const { span } = useTimes()
  const n = question?.others.length ?? 1
  const decide = (isReplacing: boolean) => {
    if (question) saveAnyway(question.event, isReplacing ? question.others : [])
    onClose()
  }
  return (
    <Dialog
      open={question !== null}
      onClose={onClose}
      title={t('clashTitle', { n })}
      closeLabel={t('close')}
      actions={
        <>
          <Button variant="primary" onClick={() => decide(false)}>
            {t('keepBoth', { n })}
          </Button>
          <Button onClick={() => decide(true)}>{t('replace', { n })}</Button>
          <Button variant="quiet" onClick={onClose}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      {question && (
        <>
          <p>
            {t('clashText', {
              event: question.event.title,
              time: span(question.event),
              n,
            })}
          </p>
          <ul className="grid gap-1.5">
            {question.others.map((other) => (
              <li key={other.event_id} className="flex flex-wrap gap-x-3 border-l-6 border-action pl-3">
                <span className="figure">{span(other)}</span>
                <span className="font-semibold [overflow-wrap:anywhere]">{other.title}</span>
              </li>
            ))}
          </ul>
          <p className="text-sm text-ink-soft">{t('clashHelp', { n })}</p>
        </>
      )}
    </Dialog>
  )
}
