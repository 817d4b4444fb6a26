import { useEffect, useRef, useState } from 'react'
import { Check, Copy, Download } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { tryCall } from '../../../kit/browser/asking.ts'
import { saveFile } from '../../../kit/browser/save-file.ts'
import { Button, ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { TextField } from '../../../kit/browser/ui/TextField.tsx'
import type { AnswerBody } from '../../../kit/shared/endpoint.ts'
import { page } from '../../../site-map.ts'
import type { disableSecondFactor, enableSecondFactor, setUpSecondFactor } from '../../contract.ts'
import { CodeField, typedIn } from '../forms.tsx'
import { Row, RowForm, useFault, useOpenRow, useSettings } from './Row.tsx'
import { OwnPassword } from './Security.tsx'

type Setup = AnswerBody<typeof setUpSecondFactor>

/** Off: password, QR code, first code, recovery codes. On: how many codes are left, and the way out. */
export function SecondFactorRow() {
  const t = useTranslations('settings')
  const { me, again, tell } = useSettings()
  const [open, setOpen] = useOpenRow('second-factor')
  const [setup, setSetup] = useState<Setup | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const close = () => {
    setSetup(null)
    setCodes(null)
    setOpen(false)
  }
  if (!me.has_password)
    return (
      <Row
        id="second-factor"
        title={t('factor.title')}
        value={t('factor.off')}
        text={t('password.none')}
        action={<ButtonLink href={page.forgotPassword}>{t('password.forgot')}</ButtonLink>}
      />
    )
  return (
    <Row
      id="second-factor"
      title={t('factor.title')}
      value={
        <span className={`font-semibold ${me.second_factor ? 'text-moss-text' : ''}`}>
          {me.second_factor ? t('factor.on') : t('factor.off')}
        </span>
      }
      text={me.second_factor ? t('factor.left', { n: me.recovery_codes_left }) : t('factor.text')}
      action={
        !open && (
          <Button onClick={() => setOpen(true)}>{me.second_factor ? t('factor.switchOff') : t('factor.setUp')}</Button>
        )
      }
    >
      {me.must_set_second_factor && !codes && <Notice kind="warn">{t('factor.must')}</Notice>}
      {codes && (
        <RecoveryCodes
          codes={codes}
          onKept={() => {
            close()
            again()
          }}
        />
      )}
      {open && !codes && !me.second_factor && !setup && (
        <RowForm
          submit={t('factor.start')}
          sending={t('saving')}
          onCancel={close}
          send={async (form) => {
            const { password = '' } = typedIn(form, 'password')
            const { answer, refused } = await tryCall<typeof setUpSecondFactor>('POST /api/me/2fa/setup', {
              as: 'action',
              body: { password },
            })
            if (answer) setSetup(answer.body)
            return refused
          }}
        >
          <OwnPassword id="settings-factor-password" />
        </RowForm>
      )}
      {open && !codes && setup && (
        <RowForm
          submit={t('factor.enable')}
          sending={t('saving')}
          onCancel={close}
          send={async (form) => {
            const { totp = '' } = typedIn(form, 'totp')
            const { answer, refused } = await tryCall<typeof enableSecondFactor>('POST /api/me/2fa/enable', {
              as: 'action',
              body: { totp: totp.replace(/\s/g, '') },
            })
            if (answer) setCodes(answer.body.recovery_codes)
            return refused
          }}
        >
          <Secret setup={setup} />
          <FirstCode />
        </RowForm>
      )}
      {open && me.second_factor && !codes && (
        <RowForm
          submit={t('factor.switchOff')}
          sending={t('saving')}
          danger
          onCancel={close}
          send={async (form) => {
            const { password = '', totp = '' } = typedIn(form, 'password', 'totp')
            const { refused } = await tryCall<typeof disableSecondFactor>('POST /api/me/2fa/disable', {
              as: 'action',
              body: { password, totp: totp.trim() },
            })
            if (refused) return refused
            tell(t('factor.offDone'))
            again()
            close()
            return null
          }}
        >
          <OwnPassword id="settings-factor-password" />
          <OffCode />
        </RowForm>
      )}
    </Row>
  )
}

/** To be scanned; on the phone itself opened; or typed. Drawn as one path, so no markup crosses the wire. */
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

function FirstCode() {
  const t = useTranslations('settings')
  return (
    <TextField
      id="settings-factor-code"
      name="totp"
      label={t('factor.enter')}
      inputMode="numeric"
      autoComplete="one-time-code"
      error={useFault('totp')}
      required
    />
  )
}

function OffCode() {
  return <CodeField id="settings-factor-off-code" error={useFault('totp')} />
}

/** Shown this once; they can be copied, downloaded or printed. */
function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const t = useTranslations('settings')
  const title = useRef<HTMLHeadingElement>(null)
  const [copied, setCopied] = useState(false)
  useEffect(() => title.current?.focus(), [])
  const text = codes.join('\n')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // refused by the browser: the codes can be selected with one touch
    }
  }
  return (
    <div className="grid gap-4 rounded-6 border-2 border-night bg-lantern p-5 text-on-lantern">
      <div className="grid gap-1">
        <h4 ref={title} tabIndex={-1} className="figure text-xl">
          {t('factor.codesTitle')}
        </h4>
        <p>{t('factor.codesText')}</p>
      </div>
      <ol className="figure grid gap-x-8 gap-y-1 text-lg select-all sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3 [&_button]:border-night [&_button]:text-on-lantern">
        {typeof navigator.clipboard?.writeText === 'function' && (
          <Button
            onClick={() => void copy()}
            icon={
              copied ? <Check aria-hidden="true" className="size-5" /> : <Copy aria-hidden="true" className="size-5" />
            }
          >
            <output>{copied ? t('factor.copied') : t('factor.copy')}</output>
          </Button>
        )}
        <Button
          onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'rheinklang-recovery-codes.txt')}
          icon={<Download aria-hidden="true" className="size-5" />}
        >
          {t('factor.download')}
        </Button>
        <Button variant="primary" onClick={onKept}>
          {t('factor.kept')}
        </Button>
      </div>
    </div>
  )
}
