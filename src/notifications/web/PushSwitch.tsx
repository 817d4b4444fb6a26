import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSettings } from '../../accounts/web/settings/Row.tsx'
import { Checkbox } from '../../kit/browser/ui/Checkbox.tsx'
import { isInstalled, pushState, switchPushOff, switchPushOn, type PushState } from './push-device.ts'

const helps = {
  none: 'deviceNone',
  outdated: 'deviceOutdated',
  notAdded: 'deviceNotAdded',
  waiting: 'deviceWaiting',
  denied: 'deviceDenied',
  off: 'deviceText',
  on: 'deviceText',
} as const satisfies Record<PushState, string>

/** Switch for pushes in this browser; the browser asks for permission when it is switched on. */
export function PushSwitch({ pushKey }: { pushKey: string }) {
  const t = useTranslations('notifications')
  const { kind } = useSettings()
  const [state, setState] = useState<PushState | null>(null)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const look = () => pushState().then(setState, () => setState('none'))
  useEffect(() => void look(), [])
  const isWaiting = state === 'waiting'
  useEffect(() => {
    // On a slow network the service worker is installed late.
    if (isWaiting) void isInstalled().then(look)
  }, [isWaiting])
  if (state === null) return null
  const change = async (wanted: boolean) => {
    setBusy(true)
    setFailed(false)
    const done = await (wanted ? switchPushOn(pushKey) : switchPushOff()).catch(() => false)
    await look()
    setFailed(!done)
    setBusy(false)
  }
  return (
    <fieldset className="grid gap-1 border-t-2 border-hair pt-3">
      <legend className="float-left w-full font-semibold">{t('device')}</legend>
      <Checkbox
        label={t('deviceOn')}
        help={t(helps[state], { kind })}
        checked={state === 'on'}
        disabled={busy || !(state === 'off' || state === 'on')}
        onChange={({ target }) => void change(target.checked)}
      />
      {failed && (
        <p role="alert" className="font-semibold text-wine-text">
          {t('deviceFailed')}
        </p>
      )}
    </fieldset>
  )
}
