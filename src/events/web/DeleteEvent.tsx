import { useTranslations } from 'use-intl'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { useSameKey } from '../../kit/browser/forms/use-same-key.ts'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { deleteEvent, type Event } from '../contract.ts'

/** Asks for confirmation to delete an event: says how many people saved it, and that they get a notification. */
export function DeleteEvent({
  event,
  reason,
  onReason,
  onClose,
  onDeleted,
}: {
  event: Event
  reason: string
  onReason: (reason: string) => void
  onClose: () => void
  onDeleted: () => void
}) {
  const t = useTranslations('adminEvents')
  const { send, isSending, refused } = useSend()
  const same = useSameKey()
  async function remove() {
    const deletion = { params: { event_id: event.event_id }, body: { reason: reason.trim() || null } }
    const { answer } = await send(deleteEvent, {
      ...deletion,
      as: 'action',
      idempotencyKey: same.keyOf(deletion),
    })
    if (answer) onDeleted()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('deleteTitle', { title: event.title })}
      closeLabel={t('close')}
      actions={
        <>
          <Button variant="danger" loading={isSending} onClick={() => void remove()}>
            {t('remove')}
          </Button>
          <Button onClick={onClose}>{t('keep')}</Button>
        </>
      }
    >
      <p>{event.status === 'draft' ? t('deleteDraft') : t('deleteText', { n: event.saves ?? 0 })}</p>
      {refused && !refused.fields && <Refused refused={refused} tapped />}
      <TextField
        label={t('reason')}
        help={t('reasonHelp')}
        maxLength={500}
        value={reason}
        error={refused?.fields?.['reason']}
        onChange={({ target }) => onReason(target.value)}
      />
    </Dialog>
  )
}
