import { useState, type ReactNode } from 'react'
import { Flag } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useSession } from '../../kit/browser/session.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { dealPage, loginPageWithNext, page } from '../../site-map.ts'
import { reportDeal, whys } from './calls.ts'

/** A calm way to tell the festival that something is wrong with a deal. */
export default function ReportDeal({ dealId }: { dealId: string }): ReactNode {
  const t = useTranslations('reportDeal')
  const isGuest = useSession() === 'guest'
  const [state, setState] = useState<'closed' | 'open' | 'sending' | 'done'>('closed')
  const [why, setWhy] = useState<(typeof whys)[number]>('wrong')
  const [note, setNote] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  if (isGuest)
    return (
      <a
        href={loginPageWithNext(page.userLogin, dealPage(dealId))}
        className="link inline-flex min-h-11 items-center text-sm print-hidden"
      >
        {t('logIn')}
      </a>
    )
  if (state === 'done') return <output className="text-sm">{t('thanks')}</output>
  const send = async () => {
    setState('sending')
    const { refused } = await ask(callByFetch, reportDeal, {
      as: 'action',
      params: { deal_id: dealId },
      body: { why, ...(note.trim() ? { note } : {}) },
    })
    setState(refused ? 'open' : 'done')
    setFault(refused ? refused.fields?.['note'] || refused.error || t('failed') : null)
  }
  return (
    <>
      <Button
        variant="quiet"
        icon={<Flag aria-hidden="true" className="size-4" />}
        onClick={() => setState('open')}
        className="text-sm print-hidden"
      >
        {t('report')}
      </Button>
      <Dialog
        open={state !== 'closed'}
        onClose={() => setState('closed')}
        title={t('title')}
        closeLabel={t('close')}
        actions={
          <Button
            variant="primary"
            loading={state === 'sending'}
            loadingText={t('sending')}
            onClick={() => void send()}
          >
            {t('send')}
          </Button>
        }
      >
        {fault && <Notice kind="error">{fault}</Notice>}
        <Select
          label={t('title')}
          labelHidden
          value={why}
          onChange={(event) => setWhy(event.target.value as typeof why)}
        >
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
    </>
  )
}
