import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { Row, useSettings } from '../../accounts/web/settings/Row.tsx'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Checkbox } from '../../kit/browser/ui/Checkbox.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import type { CallInput } from '../../kit/shared/endpoint.ts'
import type * as contract from '../contract.ts'
import {
  changeNotificationSettings,
  type Channel,
  getNotificationSettings,
  type NotificationSettings,
} from '../contract.ts'
import { PushSwitch } from './PushSwitch.tsx'

type SettingsChange = CallInput<typeof contract.changeNotificationSettings>['body']

const usualNight = { from: '23:00', to: '07:00' }

/** Notification settings: channels per type, and quiet hours. Each change is saved at once. */
export function NotificationRow() {
  const t = useTranslations('notifications')
  const { kind } = useSettings()
  const { body: settings, refused: notLoaded, again, set } = useAnswer(getNotificationSettings, { as: 'background' })
  const { send, isSending: busy, refused } = useSend()
  const [saved, setSaved] = useState(false)
  const last = useRef(Promise.resolve())
  const save = async (body: SettingsChange) => {
    setSaved(false)
    const { answer } = await send(changeNotificationSettings, { as: 'action', body })
    if (!answer) return
    set(answer.body)
    setSaved(true)
  }
  // One request after the other, so that the last choice wins.
  const change = (body: SettingsChange) => (last.current = last.current.then(() => save(body)))
  return (
    <Row id="notifications" title={t('rowTitle')} text={t('rowText', { kind })}>
      {refused && <Refused refused={refused} tapped />}
      {notLoaded && <NotLoaded refused={notLoaded} again={again} />}
      {!settings && !notLoaded && <Waiting sizes={['h-24']} />}
      {settings && (
        <>
          {settings.types.length === 0 && <p className="text-sm text-ink-soft">{t('noTypes')}</p>}
          {settings.types.map((type) => (
            <TypeChoice key={type.type} type={type} offered={settings.offered} busy={busy} change={change} />
          ))}
          {!settings.email_works && settings.types.length > 0 && (
            <p className="text-sm text-ink-soft">{t('emailOff', { kind })}</p>
          )}
          {settings.push_key && <PushSwitch pushKey={settings.push_key} />}
          <QuietHours settings={settings} busy={busy} change={change} />
        </>
      )}
      <output className="text-sm font-semibold">{saved && t('saved')}</output>
    </Row>
  )
}

function TypeChoice({
  type: { type, name, channels, mailed_anyway },
  offered,
  busy,
  change,
}: {
  type: NotificationSettings['types'][number]
  offered: Channel[]
  busy: boolean
  change: (body: SettingsChange) => Promise<void>
}) {
  const t = useTranslations('notifications')
  return (
    <fieldset className="grid gap-1 border-t-2 border-hair pt-3">
      <legend className="float-left w-full font-semibold">{name}</legend>
      <div className="flex flex-wrap gap-x-6">
        {offered.map((channel) => (
          <Checkbox
            key={channel}
            label={t(`channels.${channel}`)}
            checked={channels.includes(channel) || (channel === 'email' && mailed_anyway)}
            disabled={busy || (channel === 'email' && mailed_anyway)}
            onChange={({ target }) => {
              const others = channels.filter((each) => each !== channel)
              void change({ type, channels: target.checked ? [...others, channel] : others })
            }}
          />
        ))}
      </div>
    </fieldset>
  )
}

function QuietHours({
  settings: { quiet },
  busy,
  change,
}: {
  settings: NotificationSettings
  busy: boolean
  change: (body: SettingsChange) => Promise<void>
}) {
  const t = useTranslations('notifications')
  const { kind } = useSettings()
  const fields = { from: useRef<HTMLInputElement>(null), to: useRef<HTMLInputElement>(null) }
  // Read both fields: a change of the other one may not be saved yet.
  const save = () => {
    const [from, to] = [fields.from.current!.value, fields.to.current!.value]
    if (from && to && (from !== quiet?.from || to !== quiet.to)) void change({ quiet: { from, to } })
  }
  return (
    <fieldset className="grid gap-1 border-t-2 border-hair pt-3">
      <legend className="float-left w-full font-semibold">{t('quiet')}</legend>
      <Checkbox
        label={t('quietOn')}
        help={t('quietText', { kind })}
        checked={quiet !== null}
        disabled={busy}
        onChange={({ target }) => void change({ quiet: target.checked ? usualNight : null })}
      />
      {quiet && (
        <div className="flex flex-wrap gap-4">
          {(['from', 'to'] as const).map((end) => (
            <TextField
              key={end}
              id={`quiet-${end}`}
              name={`quiet_${end}`}
              type="time"
              label={t(end === 'from' ? 'quietFrom' : 'quietTo')}
              defaultValue={quiet[end]}
              className="min-w-40"
              ref={fields[end]}
              onBlur={save}
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}
