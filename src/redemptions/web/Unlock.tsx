import { useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { onReconnect } from '../../kit/browser/connection.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { loginPageWithNext, page } from '../../site-map.ts'
import { unlockTill } from '../contract.ts'
import type { TillDevice, Shift } from './till-store.ts'

/** The PIN form of a redeem-only device; begins a shift. */
export function Unlock({
  device,
  left,
  opened,
  removed,
}: {
  device: TillDevice
  /** A notice about unsent scans. */
  left: ReactNode
  opened: (shift: Shift) => void
  /** Called when the business has removed this device. */
  removed: () => void
}) {
  const t = useTranslations('redeem')
  const [pin, setPin] = useState('')
  const [fault, setFault] = useState<{ text: string; isOffline: boolean } | null>(null)
  // the message about the network goes when it is back
  useEffect(() => onReconnect(() => setFault((last) => (last?.isOffline ? null : last))), [])
  const [sending, setSending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setSending(true)
    const { device_id, secret } = device
    const { answer, refused } = await ask(callByFetch, unlockTill, {
      body: { device_id, device_secret: secret ?? '', pin: pin.trim() },
    })
    setSending(false)
    setPin('')
    if (answer) opened(answer.body)
    else if (refused.code === 'device_not_found') removed()
    else {
      const isOffline = refused.status === 0
      setFault({ text: refused.error || t(isOffline ? 'pinOffline' : 'failed'), isOffline })
    }
  }
  return (
    <form
      onSubmit={(event) => void submit(event)}
      noValidate
      className="grid content-start gap-5"
      aria-label={t('unlock')}
    >
      <p className="text-lg">{t('unlockText')}</p>
      {left}
      <TextField
        label={t('pin')}
        error={fault?.text}
        value={pin}
        onChange={(event) => {
          setPin(event.target.value)
          setFault(null)
        }}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
        // the only field of the page
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <Button type="submit" variant="primary" size="lg" wide loading={sending} loadingText={t('unlocking')}>
        {t('unlock')}
      </Button>
      <a href={loginPageWithNext(page.businessLogin, page.redeem)} className="link target justify-self-start">
        {t('asBusiness')}
      </a>
    </form>
  )
}
