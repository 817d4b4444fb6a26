import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { useRefusedFocus } from './use-refused-focus.ts'

export interface TextQuestion {
  title: string
  label: string
  text?: string
  /** Sends the text; null: done. */
  send: (text: string) => Promise<RefusedAnswer | null>
}

/** Asks for one text: a reason, an appeal, a corrected post. The text stays in the field until sending succeeds. */
export function TextDialog({ question, onClose }: { question: TextQuestion | null; onClose: () => void }) {
  const t = useTranslations('moderation')
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const [isSending, setSending] = useState(false)
  const form = useRefusedFocus(refused)
  const close = () => {
    setRefused(null)
    onClose()
  }
  async function send(typed: string) {
    if (!question) return
    setSending(true)
    const no = await question.send(typed)
    setSending(false)
    // the dialog has one field, whatever the server calls it
    const [text] = Object.values(no?.fields ?? {})
    if (no) setRefused(text ? { ...no, fields: { text } } : no)
    else close()
  }
  const fieldFault = refused?.fields?.['text']
  return (
    <Dialog open={question !== null} onClose={close} title={question?.title ?? ''} closeLabel={t('close')}>
      <form
        ref={form}
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new FormData(event.currentTarget).get('text')
          void send(typeof typed === 'string' ? typed.replaceAll('\r\n', '\n') : '')
        }}
      >
        <TextArea label={question?.label ?? ''} name="text" defaultValue={question?.text} error={fieldFault} />
        {refused && !fieldFault && (
          <Notice kind={refused.status === 0 ? 'offline' : 'error'}>
            {refused.error || t(refused.status === 0 ? 'offline' : 'failed')}
          </Notice>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" loading={isSending}>
            {t('send')}
          </Button>
          <Button onClick={close}>{t('cancel')}</Button>
        </div>
      </form>
    </Dialog>
  )
}
