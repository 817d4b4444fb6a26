import { useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { addDevice } from '../contract.ts'
import type { TillDevice } from './till-store.ts'

/** Registers a device of the business. With a PIN it can redeem without a login, and nothing else; without one it needs the login. */
export function RegisterDevice({ businessId, added }: { businessId: string; added: (device: TillDevice) => void }) {
  const t = useTranslations('devices')
  const [name, setName] = useState('')
  const [pin, setPin] = useState('')
  const { send, isSending, refused } = useSend()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { answer } = await send(addDevice, {
      as: 'action',
      params: { business_id: businessId },
      body: { name, pin },
    })
    if (!answer) return
    const { device_id, device_secret } = answer.body
    added({ device_id, business_id: businessId, name: answer.body.name, secret: device_secret })
  }
  const isField = refused?.fields !== undefined
  return (
    <form
      onSubmit={(event) => void submit(event)}
      noValidate
      className="grid gap-4 rounded-6 border-2 border-rule bg-surface p-4"
      aria-label={t('register')}
    >
      <h3 className="text-lg">{t('register')}</h3>
      <TextField
        label={t('name')}
        help={t('nameHelp')}
        error={refused?.fields?.['name']}
        value={name}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        maxLength={40}
      />
      <TextField
        label={t('pin')}
        help={t('pinHelp')}
        error={refused?.fields?.['pin']}
        value={pin}
        onChange={(event) => setPin(event.target.value)}
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
      />
      {refused && !isField && (
        <Notice kind={refused.status === 0 ? 'offline' : 'error'}>
          {refused.error || t(refused.status === 0 ? 'offline' : 'failed')}
        </Notice>
      )}
      <Button type="submit" loading={isSending} loadingText={t('registering')} className="justify-self-start">
        {t(pin ? 'lockDevice' : 'registerDevice')}
      </Button>
    </form>
  )
}
