import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { LinkField } from './LinkField.tsx'
import { rotateAddress, startFeed, useMySchedule } from './my-schedule.ts'
import type { ShowNote } from './show-note.ts'

/** The secret address with which a calendar subscribes to my schedule. */
export function CalendarAddress({ showNote }: { showNote: ShowNote }) {
  const t = useTranslations('schedule')
  const { feed_url } = useMySchedule()
  const [isSending, setSending] = useState(false)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const [asks, setAsks] = useState(false)
  const send = async (change: () => Promise<RefusedAnswer | null>) => {
    setSending(true)
    setRefused(null)
    const answer = await change()
    setSending(false)
    setRefused(answer)
    return answer === null
  }
  const replace = async () => {
    if (!(await send(rotateAddress))) return
    setAsks(false)
    showNote(t('feedRotated'))
  }
  return (
    <>
      <p>{t('calendarText')}</p>
      {refused && <Refused refused={refused} tapped />}
      {feed_url === null ? (
        <Button variant="primary" loading={isSending} onClick={() => void send(startFeed)}>
          {t('feedStart')}
        </Button>
      ) : (
        <>
          <LinkField label={t('feedLink')} url={feed_url} showNote={showNote} />
          <ButtonLink variant="primary" href={feed_url.replace(/^https?:/, 'webcal:')}>
            {t('feedOpen')}
          </ButtonLink>
          <p className="text-sm text-ink-soft">{t('feedSecret')}</p>
          {asks ? (
            <>
              <Notice kind="warn">{t('feedRotateText')}</Notice>
              <div className="flex flex-wrap gap-3">
                <Button variant="danger" loading={isSending} onClick={() => void replace()}>
                  {t('feedRotate')}
                </Button>
                <Button onClick={() => setAsks(false)}>{t('cancel')}</Button>
              </div>
            </>
          ) : (
            <Button onClick={() => setAsks(true)}>{t('feedRotate')}</Button>
          )}
        </>
      )}
    </>
  )
}
