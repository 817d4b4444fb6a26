import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../kit/browser/ui/Button.tsx'
import { Dialog } from '../kit/browser/ui/Dialog.tsx'
import { Notice } from '../kit/browser/ui/Notice.tsx'
import { Select } from '../kit/browser/ui/Select.tsx'
import { TextArea } from '../kit/browser/ui/TextArea.tsx'
import type { RefusedAnswer } from '../kit/shared/refusal.ts'
import { reportNoteLength, reportReasons, type ReportReason } from './report-reasons.ts'

export interface Report {
  why: ReportReason
  note?: string
}

/** Asks what is wrong with a deal or a rating, and thanks for the report. */
export function ReportDialog({
  of,
  state,
  isSending,
  refused,
  close,
  send,
}: {
  of: 'deal' | 'rating'
  state: 'open' | 'closed' | 'done'
  isSending: boolean
  refused: RefusedAnswer | null
  close: () => void
  send: (report: Report) => void
}) {
  const t = useTranslations('reportDialog')
  const [why, setWhy] = useState<ReportReason | ''>('')
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const choice = useRef<HTMLSelectElement>(null)
  if (state === 'done') return <output className="text-sm">{t('thanks')}</output>
  const report = () => {
    setMissing(why === '')
    if (why === '') choice.current?.focus()
    else send({ why, ...(note.trim() ? { note } : {}) })
  }
  return (
    <Dialog
      open={state === 'open'}
      onClose={close}
      title={t(of)}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" loading={isSending} loadingText={t('sending')} onClick={report}>
          {t('send')}
        </Button>
      }
    >
      {refused && (
        <Notice kind={refused.status === 0 ? 'offline' : 'error'}>
          {refused.fields?.['note'] || refused.error || t(refused.status === 0 ? 'offline' : 'failed')}
        </Notice>
      )}
      <Select
        ref={choice}
        label={t('reason')}
        value={why}
        error={isMissing && why === '' ? t('missing') : undefined}
        onChange={(event) => setWhy(event.target.value as ReportReason)}
      >
        <option value="" disabled>
          {t('choose')}
        </option>
        {reportReasons.map((each) => (
          <option key={each} value={each}>
            {t(`whys.${each}`)}
          </option>
        ))}
      </Select>
      <TextArea
        label={t('note')}
        rows={3}
        maxLength={reportNoteLength}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </Dialog>
  )
}
