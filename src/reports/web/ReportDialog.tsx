import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { noteLength, reasons } from '../limits.ts'
import { reportDeal } from './calls.ts'

/** What is wrong with a deal, and the thanks for having said it. */
export default function ReportDialog({
  dealId,
  state,
  close,
  done,
}: {
  dealId: string
  state: 'open' | 'closed' | 'done'
  close: () => void
  done: () => void
}) {
  const t = useTranslations('reportDeal')
  const { send, isSending, refused } = useSend()
  const [why, setWhy] = useState<(typeof reasons)[number]>('wrong')
  const [note, setNote] = useState('')
  if (state === 'done') return <output className="text-sm">{t('thanks')}</output>
  const report = async () => {
    const { answer } = await send(reportDeal, {
      as: 'action',
      params: { deal_id: dealId },
      body: { why, ...(note.trim() ? { note } : {}) },
    })
    if (answer) done()
  }
  return (
    <Dialog
      open={state === 'open'}
      onClose={close}
      title={t('title')}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" loading={isSending} loadingText={t('sending')} onClick={() => void report()}>
          {t('send')}
        </Button>
      }
    >
      {refused && <Notice kind="error">{refused.fields?.['note'] || refused.error || t('failed')}</Notice>}
      <Select label={t('title')} labelHidden value={why} onChange={(event) => setWhy(event.target.value as typeof why)}>
        {reasons.map((each) => (
          <option key={each} value={each}>
            {t(`whys.${each}`)}
          </option>
        ))}
      </Select>
      <TextArea
        label={t('note')}
        rows={3}
        maxLength={noteLength}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </Dialog>
  )
}
