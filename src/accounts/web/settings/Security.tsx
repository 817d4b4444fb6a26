import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../guards.tsx'
import { ask } from '../../../kit/browser/ask.ts'
import { callByFetch } from '../../../kit/browser/call-endpoint.ts'
import { logInAgain } from '../another-session.ts'
import { Button, ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { Waiting } from '../../../kit/browser/ui/Skeleton.tsx'
import { useAnswer } from '../../../kit/browser/use-answer.ts'
import { useWhen } from '../../../kit/browser/when.ts'
import { page } from '../../../site-map.ts'
import { EmailField, NewPassword } from '../fields.tsx'
import { Refused } from '../../../kit/browser/forms/Refused.tsx'
import { useFocusAfter } from '../../../kit/browser/forms/use-focus-after.ts'
import { typedIn } from '../../../kit/browser/forms/typed.ts'
import { factorsIn, FormRow, OwnFactors, Row, useSettings } from './Row.tsx'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import { changeEmail, changePassword, endOtherSessions, endSession, listSessions } from '../../contract.ts'

export function EmailRow() {
  const t = useTranslations('settings')
  const { me, kind } = useSettings()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const pending = sentTo ?? me.pending_email
  const emailIn = (form: FormData) => typedIn(form, 'email').email.trim()
  return (
    <FormRow
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
      text={t('email.text', { kind })}
      open={t('change')}
      locked={!me.has_password}
      note={pending && <Notice>{t('email.pending', { email: pending })}</Notice>}
      submit={t('email.submit')}
      endpoint={changeEmail}
      body={(form) => ({ email: emailIn(form), ...factorsIn(form) })}
      onDone={(_, close, form) => {
        setSentTo(emailIn(form))
        close()
      }}
    >
      {(faults) => (
        <>
          <EmailField label={t('email.new')} error={faults['email']} />
          <OwnFactors faults={faults} />
        </>
      )}
    </FormRow>
  )
}

export function PasswordRow() {
  const t = useTranslations('settings')
  const common = useTranslations('accountForms')
  const { me, kind, showNotice } = useSettings()
  if (!me.has_password)
    return (
      <Row
        id="password"
        title={t('password.title')}
        text={t('password.none', { kind })}
        action={<ButtonLink href={page.forgotPassword}>{t('password.forgot')}</ButtonLink>}
      />
    )
  return (
    <FormRow
      id="password"
      title={t('password.title')}
      text={t('password.set', { kind })}
      open={t('change')}
      submit={t('save')}
      endpoint={changePassword}
      body={(form) => ({ ...factorsIn(form), ...typedIn(form, 'new_password') })}
      onDone={(answer, close) => {
        logInAgain(answer, kind)
        showNotice(t('password.changed', { kind }))
        close()
      }}
    >
      {(faults) => (
        <>
          <OwnFactors faults={faults} />
          <NewPassword
            name="new_password"
            label={common('newPassword')}
            error={faults['new_password']}
            own={['username']}
          />
        </>
      )}
    </FormRow>
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
      {refused && <NotLoaded refused={refused} again={again} />}
      {!body && !refused && <Waiting sizes={['h-16']} />}
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
