import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { reportDeal, whys } from './calls.ts'

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
  const [isSending, setSending] = useState(false)
  const [why, setWhy] = useState<(typeof whys)[number]>('wrong')
  const [note, setNote] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  if (state === 'done') return <output className="text-sm">{t('thanks')}</output>
  const send = async () => {
    setSending(true)
    const { refused } = await ask(callByFetch, reportDeal, {
      as: 'action',
      params: { deal_id: dealId },
      body: { why, ...(note.trim() ? { note } : {}) },
    })
    setSending(false)
    setFault(refused ? refused.fields?.['note'] || refused.error || t('failed') : null)
    if (!refused) done()
  }
  return (
    <Dialog
      open={state === 'open'}
      onClose={close}
      title={t('title')}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" loading={isSending} loadingText={t('sending')} onClick={() => void send()}>
          {t('send')}
        </Button>
      }
    >
      {fault && <Notice kind="error">{fault}</Notice>}
      <Select label={t('title')} labelHidden value={why} onChange={(event) => setWhy(event.target.value as typeof why)}>
        {whys.map((each) => (
          <option key={each} value={each}>
            {t(`whys.${each}`)}
          </option>
        ))}
      </Select>
      <TextArea
        label={t('note')}
        rows={3}
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </Dialog>
  )
}
