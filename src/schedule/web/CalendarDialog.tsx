import { useTranslations } from 'use-intl'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { rotateFeed } from './calls.ts'
import { LinkField } from './LinkField.tsx'
import { setLinks, useMySchedule } from './my-schedule.ts'
import type { Tell } from './tell.ts'

/** The secret address under which a calendar follows my schedule. */
export function CalendarDialog({ open, onClose, tell }: { open: boolean; onClose: () => void; tell: Tell }) {
  const t = useTranslations('schedule')
  const { feed_url } = useMySchedule()
  const { send, isSending, refused } = useSend()
  const rotate = async () => {
    const { answer } = await send(rotateFeed, { as: 'action' })
    if (!answer) return
    if (feed_url !== null) tell(t('feedRotated'))
    setLinks({ feed_url: answer.body.feed_url })
  }
  return (
    <Dialog open={open} onClose={onClose} title={t('calendarTitle')} closeLabel={t('close')}>
      <p>{t('calendarText')}</p>
      {refused && <Notice kind="error">{refused.error || t('failed')}</Notice>}
      {feed_url === null ? (
        <Button variant="primary" loading={isSending} onClick={() => void rotate()}>
          {t('feedStart')}
        </Button>
      ) : (
        <>
          <LinkField label={t('feedLink')} url={feed_url} tell={tell} />
          <ButtonLink variant="primary" href={feed_url.replace(/^https?:/, 'webcal:')}>
            {t('feedOpen')}
          </ButtonLink>
          <p className="text-sm text-ink-soft">{t('feedSecret')}</p>
          <Button loading={isSending} onClick={() => void rotate()}>
            {t('feedRotate')}
          </Button>
        </>
      )}
    </Dialog>
  )
}
