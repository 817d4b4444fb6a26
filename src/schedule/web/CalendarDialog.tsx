import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
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
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const rotate = async () => {
    setBusy(true)
    const { answer, refused } = await ask(callByFetch, rotateFeed, { as: 'action' })
    setBusy(false)
    setError(refused && (refused.error || t('failed')))
    if (!answer) return
    if (feed_url !== null) tell(t('feedRotated'))
    setLinks({ feed_url: answer.body.feed_url })
  }
  return (
    <Dialog open={open} onClose={onClose} title={t('calendarTitle')} closeLabel={t('close')}>
      <p>{t('calendarText')}</p>
      {error && <Notice kind="error">{error}</Notice>}
      {feed_url === null ? (
        <Button variant="primary" loading={busy} onClick={() => void rotate()}>
          {t('feedStart')}
        </Button>
      ) : (
        <>
          <LinkField label={t('feedLink')} url={feed_url} tell={tell} />
          <ButtonLink variant="primary" href={feed_url.replace(/^https?:/, 'webcal:')}>
            {t('feedOpen')}
          </ButtonLink>
          <p className="text-sm text-ink-soft">{t('feedSecret')}</p>
          <Button loading={busy} onClick={() => void rotate()}>
            {t('feedRotate')}
          </Button>
        </>
      )}
    </Dialog>
  )
}
