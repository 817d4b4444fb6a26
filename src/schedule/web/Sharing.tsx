import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { listSchedule, shareSchedule, unshareSchedule } from '../contract.ts'
import { LinkField } from './LinkField.tsx'
import { setLinks, useMySchedule } from './my-schedule.ts'
import type { ShowNote } from './show-note.ts'

/** Link and QR code that show my schedule to friends, and a button that stops sharing. */
export function Sharing({ showNote }: { showNote: ShowNote }) {
  const t = useTranslations('schedule')
  const { share_url } = useMySchedule()
  const [qr, setQr] = useState<{ size: number; path: string } | null>(null)
  const { send, isSending, refused } = useSend()
  const share = async () => {
    const { answer } = await send(shareSchedule, { as: 'action' })
    if (!answer) return
    setQr(answer.body.qr)
    setLinks({ share_url: answer.body.share_url })
  }
  const stop = async () => {
    const { answer } = await send(unshareSchedule, { as: 'action' })
    if (!answer) return
    setQr(null)
    setLinks({ share_url: null })
    showNote(t('shareStopped'))
  }
  // an existing link needs its QR code, which comes with the same answer
  const isShared = share_url !== null
  useEffect(() => {
    if (!isShared) return
    let isLate = false
    const look = async () => {
      // asking for the code would start sharing again, so check first that no other device stopped it
      const mine = await ask(callByFetch, listSchedule, { as: 'background' })
      if (isLate || !mine.answer) return
      if (mine.answer.body.share_url === null) return setLinks({ share_url: null })
      const { answer } = await ask(callByFetch, shareSchedule, { as: 'background' })
      if (!isLate && answer) setQr(answer.body.qr)
    }
    void look()
    return () => {
      isLate = true
    }
  }, [isShared])
  return (
    <>
      <p>{t('shareText')}</p>
      {refused && <Refused refused={refused} tapped />}
      {share_url === null ? (
        <Button variant="primary" loading={isSending} onClick={() => void share()}>
          {t('shareStart')}
        </Button>
      ) : (
        <>
          <LinkField label={t('shareLink')} url={share_url} showNote={showNote} shareTitle={t('title')} />
          {qr && (
            <svg
              viewBox={`0 0 ${qr.size} ${qr.size}`}
              {...{ role: 'img', 'aria-label': t('shareQr') }}
              shapeRendering="crispEdges"
              className="w-full max-w-52 justify-self-center rounded-6 border-2 border-night bg-paper"
            >
              <path d={qr.path} className="fill-night" />
            </svg>
          )}
          <Button loading={isSending} onClick={() => void stop()}>
            {t('shareStop')}
          </Button>
        </>
      )}
    </>
  )
}
