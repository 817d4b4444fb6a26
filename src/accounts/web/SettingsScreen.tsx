import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { useSession } from './session.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Skeleton } from '../../kit/browser/ui/Skeleton.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import type { Me } from '../contract.ts'
import { noteAccount } from './account-notes.ts'
import { ForLoggedIn } from './guards.tsx'
import { LateScript, NoScript } from './parts.tsx'
import { LanguageRow, NameRow } from './settings/Profile.tsx'
import { CodesRow, DeleteRow, ExportRow, LocationRow, NewsletterRow, ReminderRow, TeamRow } from './settings/Rest.tsx'
import { SettingsContext, useSettings, type SettingsParts } from './settings/Row.tsx'
import { SecondFactorRow } from './settings/SecondFactor.tsx'
import { EmailRow, PasswordRow, SessionsRow } from './settings/Security.tsx'
import { VerifyBanner } from './VerifyBanner.tsx'
import { getMe, keepMe } from './calls.ts'

/** The same document for everybody; what is private comes by script. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/** `notices`: a row of a room above, with the id `notifications`. */
export default function SettingsScreen({ notices }: { notices?: ReactNode }) {
  const t = useTranslations('settings')
  const [deletionAt, setDeletionAt] = useState<string | null>(null)
  if (deletionAt) return <Goodbye deletionAt={deletionAt} />
  return (
    <>
      <PageHead title={t('title')} description={t('description')} hidden />
      <ForLoggedIn
        waiting={
          <Sheet>
            <NoScript kind="settings" />
            <div className="lg:col-start-2">
              <LateScript kind="page" />
            </div>
            <Waiting />
          </Sheet>
        }
      >
        <Settings gone={setDeletionAt} notices={notices} />
      </ForLoggedIn>
    </>
  )
}

function Sheet({ me, children }: { me?: Me | null; children: ReactNode }) {
  const t = useTranslations('settings')
  return (
    <>
      <div className="river overflow-clip bg-river">
        <div className="shell grid gap-2 pt-8 pb-4 md:pt-12">
          <h1 className="text-paper">{t('title')}</h1>
          <p className="min-h-[1.55em] text-on-deep [overflow-wrap:anywhere]">{me?.email}</p>
        </div>
        <WaveRule className="text-coral" />
      </div>
      <div className="shell grid gap-x-16 gap-y-8 py-8 md:py-12 lg:grid-cols-[15rem_minmax(0,46rem)]">{children}</div>
    </>
  )
}

function Waiting() {
  return (
    <div className="grid gap-5 lg:col-start-2 noscript:hidden">
      {[0, 1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-24" />
      ))}
    </div>
  )
}

function Settings({ gone, notices }: { gone: (deletionAt: string) => void; notices: ReactNode }) {
  const common = useTranslations('accountForms')
  const { body: me, refused, again, set } = useAnswer(getMe, { as: 'background' })
  const { note, show, close } = useToast()
  useEffect(() => {
    if (me) noteAccount(me)
  }, [me])
  const parts = useMemo<SettingsParts | null>(
    () => me && { me, changed: set, again, tell: (text) => show({ text }), gone },
    [me, set, again, show, gone],
  )
  useRowInAddress(parts !== null)
  return (
    <>
      <Sheet me={me}>
        {parts ? (
          <SettingsContext value={parts}>
            <Chapters notices={notices} />
          </SettingsContext>
        ) : refused ? (
          <div className="lg:col-start-2">
            <NotLoaded status={refused.status} text={refused.error} again={again} />
          </div>
        ) : (
          <Waiting />
        )}
      </Sheet>
      <Toast note={note} onClose={close} closeLabel={common('close')} />
    </>
  )
}

/** An address such as /settings#password leads to its row, once it is there. */
function useRowInAddress(isThere: boolean) {
  const { hash } = useLocation()
  // only on the way here: opening and closing rows moves nothing
  const scroll = useEffectEvent(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'start' })
  })
  useEffect(() => {
    if (isThere) scroll()
  }, [isThere])
}

function NotLoaded({ status, text, again }: { status: number; text: string; again: () => void }) {
  const t = useTranslations('settings')
  const session = useSession()
  if (status === 401)
    return (
      <Notice
        kind="warn"
        action={
          <ButtonLink
            href={loginPageWithNext(session === 'business' ? page.businessLogin : page.userLogin, page.settings)}
            variant="primary"
          >
            {t('logIn')}
          </ButtonLink>
        }
      >
        {t('ended')}
      </Notice>
    )
  return (
    <Notice kind={status === 0 ? 'offline' : 'warn'} action={<Button onClick={again}>{t('again')}</Button>}>
      {text || t('loadFailed')}
    </Notice>
  )
}

function Chapters({ notices }: { notices: ReactNode }) {
  const t = useTranslations('settings')
  const { me } = useSettings()
  const chapters = [
    {
      key: 'profile',
      rows: [
        ['name', t('name.title'), <NameRow key="name" />],
        ['language', t('language.title'), <LanguageRow key="language" />],
      ],
    },
    {
      key: 'security',
      rows: [
        ['email', t('email.title'), <EmailRow key="email" />],
        ['password', t('password.title'), <PasswordRow key="password" />],
        ['second-factor', t('factor.title'), <SecondFactorRow key="factor" />],
        ['sessions', t('sessions.title'), <SessionsRow key="sessions" />],
      ],
    },
    {
      key: 'notices',
      rows: [
        ...(notices ? [['notifications', t('notifications'), notices] as const] : []),
        ['newsletter', t('newsletter.title'), <NewsletterRow key="newsletter" />],
        ...(me.role === 'business' ? [] : [['reminder', t('reminder.title'), <ReminderRow key="reminder" />] as const]),
      ],
    },
    {
      key: 'data',
      rows: [
        ...(me.role === 'user' ? [['codes', t('codes.title'), <CodesRow key="codes" />] as const] : []),
        ...(['moderator', 'admin'].includes(me.role)
          ? [['team', t('team.title'), <TeamRow key="team" />] as const]
          : []),
        ['location', t('location.title'), <LocationRow key="location" />],
        ['export', t('export.title'), <ExportRow key="export" />],
        ['delete', t('delete.title'), <DeleteRow key="delete" />],
      ],
    },
  ] as const
  return (
    <>
      <nav aria-label={t('onThisPage')} className="max-lg:hidden lg:sticky lg:top-24 lg:self-start">
        <ul className="-ml-3 grid">
          {chapters.map(({ key, rows }) => (
            <li key={key} className="pb-3">
              <p className="px-3 py-1.5 font-semibold">{t(`chapters.${key}`)}</p>
              <ul>
                {rows.map(([id, title]) => (
                  <li key={id}>
                    <a
                      href={`#${id}`}
                      className="flex min-h-9 items-center rounded-6 px-3 text-ink-soft no-underline decoration-action decoration-3 underline-offset-4 hover:text-ink hover:underline"
                    >
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid min-w-0 gap-12">
        <Banners />
        {chapters.map(({ key, rows }) => (
          <section key={key} aria-labelledby={`chapter-${key}`} className="grid gap-5">
            <h2 id={`chapter-${key}`} className="border-b-2 border-rule pb-2">
              {t(`chapters.${key}`)}
            </h2>
            <div>{rows.map(([, , row]) => row)}</div>
          </section>
        ))}
        {me.google_linked && <p className="text-sm text-ink-soft">{t('google.linked')}</p>}
      </div>
    </>
  )
}

/** What the account itself has to say, above everything. */
function Banners() {
  const { me } = useSettings()
  if (!me.deletion_at && me.email_verified) return null
  return (
    <div className="grid gap-4">
      {me.deletion_at && <KeepBanner deletionAt={me.deletion_at} />}
      {!me.email_verified && <VerifyBanner email={me.email} must={me.must_verify} />}
    </div>
  )
}

function KeepBanner({ deletionAt }: { deletionAt: string }) {
  const t = useTranslations('settings')
  const { changed, tell } = useSettings()
  const { day } = useWhen()
  const [busy, setBusy] = useState(false)
  const keep = async () => {
    setBusy(true)
    const { answer } = await ask(callByFetch, keepMe, { as: 'action' })
    setBusy(false)
    if (!answer) return
    changed(answer.body)
    tell(t('delete.kept'))
  }
  return (
    <Notice
      kind="warn"
      title={t('delete.promised', { date: day(deletionAt) })}
      action={
        <Button variant="primary" onClick={() => void keep()} loading={busy}>
          {t('delete.keep')}
        </Button>
      }
    />
  )
}

function Goodbye({ deletionAt }: { deletionAt: string }) {
  const t = useTranslations('settings')
  const title = useRef<HTMLHeadingElement>(null)
  // the button lay at the foot of a long page
  useEffect(() => {
    scrollTo(0, 0)
    title.current?.focus({ preventScroll: true })
  }, [])
  const { day } = useWhen()
  return (
    <section className="river overflow-clip bg-river">
      <PageHead title={t('delete.doneTitle')} hidden />
      <div className="shell grid gap-6 py-16 md:py-24">
        <h1 ref={title} tabIndex={-1} className="text-paper md:poster-type">
          {t('delete.doneTitle')}
        </h1>
        <output className="max-w-[44ch] text-lg text-on-deep">{t('delete.done', { date: day(deletionAt) })}</output>
        <ButtonLink href={page.home} variant="primary" size="lg" className="justify-self-start">
          {t('delete.home')}
        </ButtonLink>
      </div>
    </section>
  )
}
