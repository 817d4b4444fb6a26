import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import Download from 'lucide-react/icons/download'
import { useTranslations } from 'use-intl'
import { useSend } from '../../../kit/browser/forms/use-send.ts'
import { fileByFetch } from '../../../kit/browser/file-by-fetch.ts'
import { saveFile } from '../../../kit/browser/save-file.ts'
import { forgetPerson } from '../session.ts'
import { Button, ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { Checkbox } from '../../../kit/browser/ui/Checkbox.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { Select } from '../../../kit/browser/ui/Select.tsx'
import type { CallInput } from '../../../kit/shared/endpoint.ts'
import { refusedAnswer, type RefusedAnswer } from '../../../kit/shared/refusal.ts'
import { page } from '../../../site-map.ts'
import type * as contract from '../../contract.ts'
import { changeMe, deleteMe, type exportMe, type Me } from '../../contract.ts'
import { Refused } from '../../../kit/browser/forms/Refused.tsx'
import { useFocusAfter } from '../../../kit/browser/forms/use-focus-after.ts'
import { reminderMinutes } from '../../limits.ts'
import { factorsIn, FormRow, OwnFactors, Row, useSettings } from './Row.tsx'

/** Date of a deletion whose answer could not be read. */
const inTwoWeeks = () => new Date(Date.now() + 14 * 24 * 60 * 60_000).toISOString()

/** Saves one setting at once; a refused change shows the saved value again. */
function useChange() {
  const t = useTranslations('settings')
  const { changed, showNotice } = useSettings()
  const { send, isSending: busy, refused } = useSend()
  const change = async (body: CallInput<typeof contract.changeMe>['body']): Promise<Me | null> => {
    const { answer } = await send(changeMe, { as: 'action', body })
    if (!answer) return null
    changed(answer.body)
    showNotice(t('saved'))
    return answer.body
  }
  return { busy, change, failure: refused && <Refused refused={refused} tapped /> }
}

export function NewsletterRow() {
  const t = useTranslations('settings')
  const { me } = useSettings()
  const { busy, failure, change } = useChange()
  const [mailed, setMailed] = useState(false)
  return (
    <Row id="newsletter" title={t('newsletter.title')} text={t('newsletter.text')}>
      {failure}
      <Checkbox
        label={t('newsletter.label')}
        checked={me.newsletter}
        disabled={busy}
        onChange={async (event) => {
          const wanted = event.target.checked
          const answer = await change({ newsletter: wanted })
          setMailed(wanted && answer !== null && !answer.newsletter)
        }}
      />
      {mailed && <Notice>{t('newsletter.confirm', { email: me.email })}</Notice>}
    </Row>
  )
}

export function ReminderRow() {
  const t = useTranslations('settings')
  const { me } = useSettings()
  const { busy, failure, change } = useChange()
  return (
    <Row id="reminder" title={t('reminder.title')} text={t('reminder.text')}>
      {failure}
      <Select
        id="settings-reminder"
        label={t('reminder.title')}
        labelHidden
        className="max-w-72"
        value={me.default_reminder_min ?? ''}
        disabled={busy}
        onChange={(event) => {
          const chosen = reminderMinutes.find((each) => String(each) === event.target.value)
          void change({ default_reminder_min: chosen ?? null })
        }}
      >
        <option value="">{t('reminder.none')}</option>
        {reminderMinutes.map((each) => (
          <option key={each} value={each}>
            {each === 0
              ? t('reminder.atStart')
              : each < 60
                ? t('reminder.minutes', { n: each })
                : t('reminder.hours', { n: each / 60 })}
          </option>
        ))}
      </Select>
    </Row>
  )
}

export function LocationRow() {
  const t = useTranslations('settings')
  const { me, kind } = useSettings()
  const { busy, failure, change } = useChange()
  return (
    <Row id="location" title={t('location.title')} text={t('location.text')}>
      {failure}
      <Checkbox
        label={t('location.label', { kind })}
        checked={me.location_consent}
        disabled={busy}
        onChange={(event) => void change({ location_consent: event.target.checked })}
      />
    </Row>
  )
}

/** Link to the visitor's codes, or to the pages of staff. */
export function LinkRow({ to }: { to: 'codes' | 'team' }) {
  const t = useTranslations('settings')
  const href = { codes: page.myCodes, team: page.admin }[to]
  return (
    <Row
      id={to}
      title={t(`${to}.title`)}
      text={t(`${to}.text`)}
      action={<ButtonLink href={href}>{t(`${to}.open`)}</ButtonLink>}
    />
  )
}

export function ExportRow() {
  const t = useTranslations('settings')
  const { showNotice } = useSettings()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  useFocusAfter(busy, () => button.current)
  const fetchAll = async () => {
    setBusy(true)
    setRefused(null)
    try {
      const { file, name } = await fileByFetch<typeof exportMe>('GET /api/me/export', { as: 'action' })
      saveFile(file, name)
      showNotice(t('export.done'))
    } catch (error) {
      const answer = refusedAnswer(error)
      if (!answer) throw error
      setRefused(answer)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Row
      id="export"
      title={t('export.title')}
      text={t('export.text')}
      action={
        <Button
          ref={button}
          onClick={() => void fetchAll()}
          loading={busy}
          loadingText={t('export.sending')}
          icon={<Download aria-hidden="true" className="size-5" />}
        >
          {t('export.submit')}
        </Button>
      }
    >
      {refused && <Refused refused={refused} tapped />}
    </Row>
  )
}

export function DeleteRow() {
  const t = useTranslations('settings')
  const { me, kind, gone } = useSettings()
  if (!me.has_password)
    return (
      <Row
        id="delete"
        title={t('delete.title')}
        text={t('delete.text', { kind })}
        action={<ButtonLink href={page.forgotPassword}>{t('password.forgot')}</ButtonLink>}
      >
        <p className="text-sm text-ink-soft">{t('password.none', { kind })}</p>
      </Row>
    )
  return (
    <FormRow
      id="delete"
      title={t('delete.title')}
      text={t('delete.text', { kind })}
      open={t('delete.title')}
      locked={me.deletion_at !== null}
      submit={t('delete.submit')}
      danger
      endpoint={deleteMe}
      body={factorsIn}
      onDone={async ({ deletion_at }) => {
        // Show the farewell first, or the page's guard would send the guest to the login.
        flushSync(() => gone(deletion_at ?? inTwoWeeks()))
        await forgetPerson()
      }}
    >
      {(faults) => (
        <>
          <div className="grid gap-1">
            <h4 className="figure text-lg">{t('delete.sure')}</h4>
            {me.role === 'business' && (
              <ul className="grid list-disc gap-1 pl-5 text-sm">
                {(['shown', 'codes', 'plan', 'promotion', 'keep'] as const).map((each) => (
                  <li key={each}>{t(`delete.business.${each}`)}</li>
                ))}
              </ul>
            )}
            <p className="text-sm text-ink-soft">{t('delete.sureText', { kind })}</p>
          </div>
          <OwnFactors faults={faults} />
        </>
      )}
    </FormRow>
  )
}
