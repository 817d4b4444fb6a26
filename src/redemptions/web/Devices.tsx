import { useEffect, useEffectEvent, useState } from 'react'
import Smartphone from 'lucide-react/icons/smartphone'
import Trash2 from 'lucide-react/icons/trash'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { Button, IconButton } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { type Device, listDevices, removeDevice } from '../contract.ts'
import { RegisterDevice } from './RegisterDevice.tsx'
import type { TillDevice } from './till-store.ts'

/** The devices of the business; this one can be registered for scans without network, or be left to staff with a PIN. */
export function Devices({
  businessId,
  device,
  registered,
  locked,
}: {
  businessId: string
  /** This device, where it is registered. */
  device: TillDevice | null
  registered: (device: TillDevice | null) => void
  /** It is for redeeming alone from now on, and nobody is logged in on it. */
  locked: (device: TillDevice) => Promise<void>
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
  const [fault, setFault] = useState<RefusedAnswer | null>(null)
  const [asks, setAsks] = useState<Device | null>(null)
  const forgetRemoved = useEffectEvent(() => {
    if (device && devices?.every(({ device_id }) => device_id !== device.device_id)) registered(null)
  })
  // this device may have been removed on another one; by a list alone that is newer than its registration
  useEffect(() => forgetRemoved(), [devices])
  const remove = async (deviceId: string) => {
    setAsks(null)
    const { refused } = await ask(callByFetch, removeDevice, {
      as: 'action',
      params: { business_id: businessId, device_id: deviceId },
    })
    setFault(refused)
    if (refused) return
    if (device?.device_id === deviceId) registered(null)
    again()
  }
  // the list of redemptions beside this says that the session is over
  if (refused?.status === 401) return null
  return (
    <section aria-labelledby="devices" className="grid content-start gap-4">
      <h2 id="devices">{t('title')}</h2>
      <p className="max-w-prose text-ink-soft">{t('text')}</p>
      {fault && (
        <Notice kind={fault.status === 0 ? 'offline' : 'error'}>
          {fault.error || t(fault.status === 0 ? 'offline' : 'failed')}
        </Notice>
      )}
      {refused && (
        <NotLoaded
          refused={refused}
          again={again}
          text={{ failed: t(refused.status === 0 ? 'listOffline' : 'failed'), again: t('again') }}
        />
      )}
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
                onClick={() => setAsks(each)}
              />
            </li>
          ))}
        </ul>
      )}
      <AskRemove
        device={asks}
        isThis={asks !== null && asks.device_id === device?.device_id}
        keep={() => setAsks(null)}
        remove={(deviceId) => void remove(deviceId)}
      />
      {!device && (
        <RegisterDevice
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

/** A device that is removed can be used again only once it is registered anew. */
function AskRemove({
  device,
  isThis,
  keep,
  remove,
}: {
  device: Device | null
  isThis: boolean
  keep: () => void
  remove: (deviceId: string) => void
}) {
  const t = useTranslations('devices')
  return (
    <Dialog
      open={device !== null}
      onClose={keep}
      title={t('removeTitle', { name: device?.name ?? '' })}
      closeLabel={t('close')}
      actions={
        <>
          <Button variant="danger" onClick={() => device && remove(device.device_id)}>
            {t('removeNow')}
          </Button>
          <Button onClick={keep}>{t('keep')}</Button>
        </>
      }
    >
      <p>{t(isThis ? 'removeThisText' : device?.redeem_only ? 'removeTillText' : 'removeText')}</p>
    </Dialog>
  )
}
