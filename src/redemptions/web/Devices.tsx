import { useEffect, useEffectEvent, useState, type FormEvent } from 'react'
import { Smartphone, Trash2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button, IconButton } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { addDevice, listDevices, removeDevice } from './calls.ts'
import type { KeptDevice } from './till-store.ts'

/** The devices of the business; this one can be registered for scans without network, or be left to staff with a PIN. */
export function Devices({
  businessId,
  device,
  registered,
  locked,
}: {
  businessId: string
  /** This device, where it is registered. */
  device: KeptDevice | null
  registered: (device: KeptDevice | null) => void
  /** It is for redeeming alone from now on, and nobody is logged in on it. */
  locked: (device: KeptDevice) => Promise<void>
}) {
  const t = useTranslations('devices')
  const when = useWhen()
  const {
    body: devices,
    refused,
    again,
  } = useAnswer(listDevices, {
    as: 'background',
    params: { business_id: businessId },
  })
  const [fault, setFault] = useState<string | null>(null)
  const forgetRemoved = useEffectEvent(() => {
    if (device && devices?.every(({ device_id }) => device_id !== device.device_id)) registered(null)
  })
  // this device may have been removed on another one; by a list alone that is newer than its registration
  useEffect(() => forgetRemoved(), [devices])
  const remove = async (deviceId: string) => {
    const { refused } = await ask(callByFetch, removeDevice, {
      as: 'action',
      params: { business_id: businessId, device_id: deviceId },
    })
    setFault(refused ? refused.error || t('failed') : null)
    if (refused) return
    if (device?.device_id === deviceId) registered(null)
    again()
  }
  return (
    <section aria-labelledby="devices" className="grid content-start gap-4">
      <h2 id="devices">{t('title')}</h2>
      <p className="max-w-prose text-ink-soft">{t('text')}</p>
      {(fault ?? refused?.error) && <Notice kind="error">{fault ?? refused?.error}</Notice>}
      {devices && devices.length > 0 && (
        <ul className="grid divide-y-2 divide-hair border-y-2 border-rule">
          {devices.map((each) => (
            <li key={each.device_id} className="flex items-center gap-3 py-2">
              <Smartphone aria-hidden="true" className="size-5 shrink-0" />
              <span className="grid flex-1">
                <span className="font-semibold [overflow-wrap:anywhere]">
                  {each.name}
                  {each.device_id === device?.device_id && ` (${t('thisOne')})`}
                </span>
                <span className="text-sm text-ink-soft">
                  {t(each.redeem_only ? 'redeemOnly' : 'ownLogin')}
                  {each.last_used_at && `, ${t('lastUsed', { time: when.time(each.last_used_at) })}`}
                </span>
              </span>
              <IconButton
                label={t('remove', { name: each.name })}
                icon={<Trash2 aria-hidden="true" className="size-5" />}
                onClick={() => void remove(each.device_id)}
              />
            </li>
          ))}
        </ul>
      )}
      {!device && (
        <Register
          businessId={businessId}
          added={(added) => {
            if (added.secret) void locked(added)
            else {
              registered(added)
              again()
            }
          }}
        />
      )}
    </section>
  )
}

/** Without a PIN it is the device of somebody who logs in; with one it is left to staff. */
function Register({ businessId, added }: { businessId: string; added: (device: KeptDevice) => void }) {
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
      {refused && !isField && <Notice kind="error">{refused.error || t('failed')}</Notice>}
      <Button type="submit" loading={isSending} loadingText={t('registering')} className="justify-self-start">
        {t(pin ? 'lockDevice' : 'registerDevice')}
      </Button>
    </form>
  )
}
