import { useEffect, useEffectEvent, useState } from 'react'
import Smartphone from 'lucide-react/icons/smartphone'
import Trash2 from 'lucide-react/icons/trash'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { ask } from '../../kit/browser/ask.ts'
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

/** The devices of the business. This device can be registered for offline scans, or be left to staff with a PIN. */
export function Devices({
  businessId,
  device,
  registered,
  locked,
}: {
  businessId: string
  /** This device; null: not registered. */
  device: TillDevice | null
  registered: (device: TillDevice | null) => void
  /** Called after this device became redeem-only: it must be logged out. */
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
  const [toRemove, setToRemove] = useState<Device | null>(null)
  const forgetRemoved = useEffectEvent(() => {
    if (device && devices?.every(({ device_id }) => device_id !== device.device_id)) registered(null)
  })
  // this device may have been removed on another; only a list that is newer than its registration tells
  useEffect(() => forgetRemoved(), [devices])
  const remove = async (deviceId: string) => {
    setToRemove(null)
    const { refused } = await ask(callByFetch, removeDevice, {
      as: 'action',
      params: { business_id: businessId, device_id: deviceId },
    })
    setFault(refused)
    if (refused) return
    if (device?.device_id === deviceId) registered(null)
    again()
  }
  // the list of redemptions beside it shows that the session has ended
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
      {refused && <NotLoaded refused={refused} again={again} />}
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
                onClick={() => setToRemove(each)}
              />
            </li>
          ))}
        </ul>
      )}
      {/* asks first: a removed device must be registered again */}
      <Dialog
        open={toRemove !== null}
        onClose={() => setToRemove(null)}
        title={t('removeTitle', { name: toRemove?.name ?? '' })}
        closeLabel={t('close')}
        actions={
          <>
            <Button variant="danger" onClick={() => toRemove && void remove(toRemove.device_id)}>
              {t('removeNow')}
            </Button>
            <Button onClick={() => setToRemove(null)}>{t('keep')}</Button>
          </>
        }
      >
        <p>
          {t(
            toRemove && toRemove.device_id === device?.device_id
              ? 'removeThisText'
              : toRemove?.redeem_only
                ? 'removeTillText'
                : 'removeText',
          )}
        </p>
      </Dialog>
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
