import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../../kit/browser/asking.ts'
import { callByFetch } from '../../../kit/browser/call-endpoint.ts'
import { logInAgain } from '../another-session.ts'
import { Button, ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { Skeleton } from '../../../kit/browser/ui/Skeleton.tsx'
import { useAnswer } from '../../../kit/browser/use-answer.ts'
import { useWhen } from '../../../kit/browser/when.ts'
import { page } from '../../../site-map.ts'
import { CodeField, EmailField, NewPassword, PresentPassword } from '../fields.tsx'
import { Refused } from '../../../kit/browser/forms/Refused.tsx'
import { useFocusAfter } from '../../../kit/browser/forms/use-focus-after.ts'
import { typedIn } from '../../../kit/browser/forms/typed.ts'
import { Row, RowForm, useFault, useOpenRow, useSettings } from './Row.tsx'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import { changeEmail, changePassword, endOtherSessions, endSession, listSessions } from '../../contract.ts'

export function EmailRow() {
  const t = useTranslations('settings')
  const { me } = useSettings()
  const [open, setOpen] = useOpenRow('email')
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <Row
      id="email"
      title={t('email.title')}
      value={
        <>
          {me.email}{' '}
          <span className={`block text-sm font-semibold ${me.email_verified ? 'text-moss-text' : 'text-lantern-text'}`}>
            {me.email_verified ? t('email.verified') : t('email.unverified')}
          </span>
        </>
      }
      text={t('email.text')}
      action={!open && me.has_password && <Button onClick={() => setOpen(true)}>{t('change')}</Button>}
    >
      {(sentTo ?? me.pending_email) && !open && (
        <Notice>{t('email.pending', { email: sentTo ?? me.pending_email ?? '' })}</Notice>
      )}
      {open && me.has_password && (
        <RowForm
          submit={t('email.submit')}
          sending={t('saving')}
          onCancel={() => setOpen(false)}
          send={async (form) => {
            const { email, password, totp } = typedIn(form, 'email', 'password', 'totp')
            const { refused } = await ask(callByFetch, changeEmail, {
              as: 'action',
              body: { email: email.trim(), password, totp: totp.trim() },
            })
            if (refused) return refused
            setSentTo(email.trim())
            setOpen(false)
            return null
          }}
        >
          <NewEmail />
          <OwnPassword id="settings-email-password" />
          <OwnCode id="settings-email-code" />
        </RowForm>
      )}
    </Row>
  )
}

function NewEmail() {
  const t = useTranslations('settings')
  return <EmailField id="settings-email" label={t('email.new')} error={useFault('email')} />
}

/** Field for an authentication code. */
export function PresentCode({ id }: { id: string }) {
  return <CodeField id={id} error={useFault('totp')} />
}

/** `PresentCode` beside `OwnPassword`, if the second factor is on, also if it was just switched on elsewhere. */
export function OwnCode({ id }: { id: string }) {
  const { me } = useSettings()
  const error = useFault('totp')
  // State, because a form that is being sent has no faults.
  const [isOn, setIsOn] = useState(me.second_factor)
  if (error && !isOn) setIsOn(true)
  return isOn ? <CodeField id={id} error={error} /> : null
}

/** Field for the current password, for changes that matter. */
export function OwnPassword({ id }: { id: string }) {
  const t = useTranslations('settings')
  const { me } = useSettings()
  return (
    <>
      {/* tells a password manager whose password it is */}
      <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
      <PresentPassword id={id} label={t('password.now')} error={useFault('password')} />
    </>
  )
}

export function PasswordRow() {
  const t = useTranslations('settings')
  const { me, showNotice } = useSettings()
  const [open, setOpen] = useOpenRow('password')
  if (!me.has_password)
    return (
      <Row
        id="password"
        title={t('password.title')}
        text={t('password.none')}
        action={<ButtonLink href={page.forgotPassword}>{t('password.forgot')}</ButtonLink>}
      />
    )
  return (
    <Row
      id="password"
      title={t('password.title')}
      text={t('password.set')}
      action={!open && <Button onClick={() => setOpen(true)}>{t('change')}</Button>}
    >
      {open && (
        <RowForm
          submit={t('save')}
          sending={t('saving')}
          onCancel={() => setOpen(false)}
          send={async (form) => {
            const { password, totp, new_password } = typedIn(form, 'password', 'totp', 'new_password')
            const { answer, refused } = await ask(callByFetch, changePassword, {
              as: 'action',
              body: { password, totp: totp.trim(), new_password },
            })
            if (refused) return refused
            logInAgain(answer.body, me.role === 'business' ? 'business' : 'user')
            showNotice(t('password.changed'))
            setOpen(false)
            return null
          }}
        >
          <OwnPassword id="settings-password" />
          <OwnCode id="settings-password-code" />
          <NextPassword />
        </RowForm>
      )}
    </Row>
  )
}

function NextPassword() {
  const common = useTranslations('accountForms')
  return (
    <NewPassword
      id="settings-new-password"
      name="new_password"
      label={common('newPassword')}
      error={useFault('new_password')}
      own={['username']}
    />
  )
}

export function SessionsRow() {
  const t = useTranslations('settings')
  const { showNotice } = useSettings()
  const when = useWhen()
  const { body, refused, again } = useAnswer(listSessions, { as: 'background' })
  const [failed, setFailed] = useState<RefusedAnswer | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const tapped = useRef<HTMLButtonElement>(null)
  // An ended session leaves the list with its button.
  useFocusAfter(busy !== null, () => (failed ? tapped.current : document.querySelector('#sessions-title')))

  const end = async (button: HTMLButtonElement, sessionId: string | null) => {
    tapped.current = button
    setBusy(sessionId ?? 'all')
    const outcome = sessionId
      ? await ask(callByFetch, endSession, {
          as: 'action',
          params: { session_id: sessionId },
        })
      : await ask(callByFetch, endOtherSessions, { as: 'action' })
    setBusy(null)
    setFailed(outcome.refused)
    if (!outcome.refused) showNotice(t(sessionId ? 'sessions.ended' : 'sessions.endedAll'))
    again()
  }
  const others = body?.filter((session) => !session.current) ?? []
  const nameOf = ({ browser, system }: { browser: string | null; system: string | null }) =>
    t('sessions.device', {
      parts: browser && system ? 'both' : browser ? 'browser' : system ? 'system' : 'none',
      browser: browser ?? '',
      system: system ?? '',
    })
  return (
    <Row
      id="sessions"
      title={t('sessions.title')}
      action={
        others.length > 1 && (
          <Button onClick={(event) => void end(event.currentTarget, null)} loading={busy === 'all'}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      {failed && <Refused refused={failed} tapped />}
      {refused && (
        <Notice kind="warn" action={<Button onClick={again}>{t('again')}</Button>}>
          {t('sessions.failed')}
        </Notice>
      )}
      {!body && !refused && <Skeleton className="h-16" />}
      {body && (
        <ul className="grid gap-2">
          {body.map((session) => (
            <li
              key={session.session_id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-6 border-2 border-hair bg-surface px-4 py-3"
            >
              <div className="grid min-w-0 flex-1 basis-48">
                <span className="font-semibold [overflow-wrap:anywhere]">{nameOf(session)}</span>
                <span className="text-sm text-ink-soft">
                  {session.current ? (
                    <span className="font-semibold text-moss-text">{t('sessions.current')}</span>
                  ) : (
                    session.last_used_at && t('sessions.used', { when: when.time(session.last_used_at) })
                  )}
                </span>
              </div>
              {!session.current && (
                <Button
                  onClick={(event) => void end(event.currentTarget, session.session_id)}
                  loading={busy === session.session_id}
                  aria-label={t('sessions.endOne', { device: nameOf(session) })}
                >
                  {t('sessions.end')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Row>
  )
}
