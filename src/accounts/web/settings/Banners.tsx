import { useTranslations } from 'use-intl'
import { useSend } from '../../../kit/browser/forms/use-send.ts'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { useWhen } from '../../../kit/browser/when.ts'
import { cancelDeletion } from '../../contract.ts'
import { VerifyBanner } from '../VerifyBanner.tsx'
import { useSettings } from './Row.tsx'

/** Notices about the account, above all settings. */
export function Banners() {
  const { me, kind } = useSettings()
  if (!me.deletion_at && me.email_verified) return null
  return (
    <div className="grid gap-4">
      {me.deletion_at && <KeepBanner deletionAt={me.deletion_at} />}
      {!me.email_verified && <VerifyBanner kind={kind} email={me.email} must={me.must_verify} />}
    </div>
  )
}

function KeepBanner({ deletionAt }: { deletionAt: string }) {
  const t = useTranslations('settings')
  const { changed, showNotice } = useSettings()
  const { day } = useWhen()
  const { send, isSending } = useSend()
  const keep = async () => {
    const { answer } = await send(cancelDeletion, { as: 'action' })
    if (!answer) return
    changed(answer.body)
    showNotice(t('delete.kept'))
  }
  return (
    <Notice
      kind="warn"
      title={t('delete.promised', { date: day(deletionAt) })}
      action={
        <Button variant="primary" onClick={() => void keep()} loading={isSending}>
          {t('delete.keep')}
        </Button>
      }
    />
  )
}
