import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button, ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { TextField } from '../../../kit/browser/ui/TextField.tsx'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import type { AnswerBody } from '../../../kit/shared/endpoint.ts'
import { page } from '../../../site-map.ts'
import type * as contract from '../../contract.ts'
import { disableSecondFactor, enableSecondFactor, renewRecoveryCodes, setUpSecondFactor } from '../../contract.ts'
import { typedIn } from '../../../kit/browser/forms/typed.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { factorsIn, OwnFactors, Row, RowForm, useOpenRow, useSettings } from './Row.tsx'
import { isStaff as isStaffRole } from '../../policy.ts'

type Setup = AnswerBody<typeof contract.setUpSecondFactor>

/** Two-factor authentication. Off: password, QR code, first code, recovery codes. On: codes left, new codes, switch off. */
export function SecondFactorRow() {
  const { me } = useSettings()
  const [codes, setCodes] = useState<string[] | null>(null)
  const hadCodes = useRef(false)
  useEffect(() => {
    // The codes disappeared with the focus in them.
    if (hadCodes.current && !codes && document.activeElement === document.body)
      document.querySelector<HTMLElement>('#second-factor button')?.focus({ preventScroll: true })
    hadCodes.current = codes !== null
  }, [codes])
  const shown = codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
  if (!me.has_password) return <WithoutPassword />
  return me.second_factor ? <On shown={shown} show={setCodes} /> : <Off show={setCodes} />
}

function WithoutPassword() {
  const t = useTranslations('settings')
  const { kind } = useSettings()
  return (
    <Row
      id="second-factor"
      title={t('factor.title')}
      value={t('factor.off')}
      text={t('password.none', { kind })}
      action={<ButtonLink href={page.forgotPassword}>{t('password.forgot')}</ButtonLink>}
    />
  )
}

function Off({ show }: { show: (codes: string[]) => void }) {
  const t = useTranslations('settings')
  const { me, kind, changed, again, showNotice } = useSettings()
  const [open, setOpen] = useOpenRow('second-factor')
  const [, setRenewing] = useOpenRow('second-factor-codes', 'second-factor')
  const [setup, setSetup] = useState<Setup | null>(null)
  const close = () => {
    setSetup(null)
    setOpen(false)
  }
  /** It was switched on in another tab, or by a request whose answer got lost: nobody has seen its recovery codes here. */
  const isOn = (refused: RefusedAnswer): boolean => {
    if (refused.code !== 'second_factor_on') return false
    showNotice(t('factor.onAlready', { kind }))
    setRenewing(true)
    again()
    return true
  }
  return (
    <Row
      id="second-factor"
      title={t('factor.title')}
      value={<span className="font-semibold">{t('factor.off')}</span>}
      text={t('factor.text', { kind })}
      action={!open && <Button onClick={() => setOpen(true)}>{t('factor.setUp')}</Button>}
    >
      {me.must_set_second_factor && <Notice kind="warn">{t('factor.must')}</Notice>}
      {open && !setup && (
        <RowForm
          submit={t('factor.start')}
          onCancel={close}
          endpoint={setUpSecondFactor}
          body={(form) => typedIn(form, 'password')}
          onDone={setSetup}
          onRefused={isOn}
        >
          {(faults) => <OwnFactors faults={faults} />}
        </RowForm>
      )}
      {open && setup && (
        <RowForm
          submit={t('factor.enable')}
          onCancel={close}
          endpoint={enableSecondFactor}
          body={(form) => ({ totp: typedIn(form, 'totp').totp.replace(/\s/g, '') })}
          onRefused={isOn}
          onDone={({ recovery_codes }) => {
            show(recovery_codes)
            changed({
              ...me,
              second_factor: true,
              recovery_codes_left: recovery_codes.length,
              must_set_second_factor: false,
            })
            close()
          }}
        >
          {({ totp }) => (
            <>
              <Secret setup={setup} />
              <TextField
                name="totp"
                label={t('factor.enter')}
                inputMode="numeric"
                autoComplete="one-time-code"
                error={totp}
                required
              />
            </>
          )}
        </RowForm>
      )}
    </Row>
  )
}

/** Its parts have their own addresses: `#second-factor` opens the row, never the form that switches it off. */
function On({ shown, show }: { shown: ReactNode; show: (codes: string[]) => void }) {
  const t = useTranslations('settings')
  const { me, changed, again, showNotice } = useSettings()
  const [renewing, setRenewing] = useOpenRow('second-factor-codes', 'second-factor')
  const [asked, setLeaving] = useOpenRow('second-factor-off', 'second-factor')
  const isStaff = isStaffRole(me.role)
  const leaving = asked && !isStaff
  return (
    <Row
      id="second-factor"
      title={t('factor.title')}
      value={<span className="font-semibold text-moss-text">{t('factor.on')}</span>}
      text={
        <>
          {t('factor.left', { n: me.recovery_codes_left })} {isStaff && t('factor.staff')}
        </>
      }
      action={
        !renewing &&
        !leaving &&
        !shown && (
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => setRenewing(true)}>{t('factor.newCodes')}</Button>
            {!isStaff && <Button onClick={() => setLeaving(true)}>{t('factor.switchOff')}</Button>}
          </div>
        )
      }
    >
      {shown}
      {renewing && !shown && (
        <RowForm
          submit={t('factor.makeCodes')}
          onCancel={() => setRenewing(false)}
          endpoint={renewRecoveryCodes}
          body={factorsIn}
          onDone={({ recovery_codes }) => {
            show(recovery_codes)
            changed({ ...me, recovery_codes_left: recovery_codes.length })
            setRenewing(false)
          }}
        >
          {(faults) => (
            <>
              <p className="text-sm text-ink-soft">{t('factor.newCodesText')}</p>
              <OwnFactors faults={faults} />
            </>
          )}
        </RowForm>
      )}
      {leaving && !shown && (
        <RowForm
          submit={t('factor.switchOff')}
          danger
          onCancel={() => setLeaving(false)}
          endpoint={disableSecondFactor}
          body={factorsIn}
          onDone={() => {
            showNotice(t('factor.offDone'))
            again()
            setLeaving(false)
          }}
        >
          {(faults) => <OwnFactors faults={faults} />}
        </RowForm>
      )}
    </Row>
  )
}

/** The secret as a QR code, a link for the same phone, and text. The code is one SVG path, so no markup is sent. */
function Secret({ setup: { qr, secret, otpauth_url } }: { setup: Setup }) {
  const t = useTranslations('settings')
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <h4 className="figure text-lg">{t('factor.scan')}</h4>
        <p className="text-sm text-ink-soft">{t('factor.scanText')}</p>
      </div>
      <svg
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        {...{ role: 'img', 'aria-label': t('factor.qr') }}
        shapeRendering="crispEdges"
        className="w-full max-w-56 rounded-6 border-2 border-night bg-paper"
      >
        <path d={qr.path} className="fill-night" />
      </svg>
      <a href={otpauth_url} className="link inline-flex min-h-11 items-center md:hidden">
        {t('factor.open')}
      </a>
      <p className="text-sm">
        {t('factor.secret')}
        <span className="figure block text-lg tracking-wide select-all [overflow-wrap:anywhere]">
          {secret.replace(/(.{4})(?=.)/g, '$1 ')}
        </span>
      </p>
    </div>
  )
}
