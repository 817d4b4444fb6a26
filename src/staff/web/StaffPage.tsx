import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { ForLoggedIn, NotLoaded, SessionOver } from '../../accounts/web/guards.tsx'
import { LateScript, NoScript } from '../../accounts/web/parts.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { AccountPage } from '../../kit/browser/ui/Page.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Tabs } from '../../kit/browser/ui/Segments.tsx'
import { useKnownSession, useStored } from '../../accounts/web/session.ts'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { secondFactorRequired } from '../../kit/shared/refusal.ts'
import { page } from '../../site-map.ts'
import { listDesks } from '../contract.ts'
import { useOnDecision } from './decisions.ts'
import { desks } from './desks.ts'
import { isStaff as isStaffRole } from '../../accounts/policy.ts'

/** The role may open the page, but must set up two-factor authentication first. */
export const wantsSecondFactor = ({ code }: { code?: string | undefined }) => code === secondFactorRequired.code

export function ToSecondFactor() {
  const t = useTranslations('staff')
  return <ButtonLink href={`${page.settings}#second-factor`}>{t('secondFactor')}</ButtonLink>
}

/** On phones not all tabs fit. `scrollIntoView` could also scroll the page. */
function showCurrent(tabs: HTMLElement | null) {
  const current = tabs?.querySelector<HTMLElement>('[aria-current]')
  const nav = current?.closest('nav')
  if (nav) nav.scrollLeft = current!.offsetLeft - (nav.clientWidth - current!.offsetWidth) / 2
}

/**
 * Frame of every staff page: title, tabs with the counts of open things, and the message for a wrong role. Guests are sent to the
 * login.
 */
export function StaffPage({
  title,
  current,
  refused: own,
  again: ownAgain,
  children,
}: {
  title: string
  current: 'overview' | (typeof desks)[number]['key']
  /** The answer to the page's own request, if it was refused; 403: not for this account. */
  refused: { status: number; error: string; code?: string | undefined } | null
  /** Retries the page's own request. */
  again?: () => void
  children: ReactNode
}) {
  const t = useTranslations('staff')
  const session = useKnownSession()
  const isIn = session !== 'guest' && session !== 'unknown'
  // The overview loads the counts itself.
  const {
    body: counted,
    refused: shut,
    again,
  } = useAnswer(listDesks, isIn && current !== 'overview' ? { as: 'background' } : null)
  useOnDecision(again)
  const refused = own ?? (shut?.status === 401 || shut?.status === 403 ? shut : null)
  const role = useStored('userType')
  const isStaff = counted !== null || isStaffRole(role ?? '')
  const tabs = useRef<HTMLDivElement>(null)
  const isCounted = counted !== null
  // The tabs get wider with the counts.
  useEffect(() => showCurrent(tabs.current), [isStaff, isCounted])
  const mayOpen = desks.filter(({ key }) => counted === null || counted.some((desk) => desk.key === key))
  const labelOf = ({ key, label }: (typeof desks)[number]) => {
    const open = counted?.find((desk) => desk.key === key)?.open ?? 0
    return open > 0 ? t('withOpen', { name: t(label), n: open }) : t(label)
  }
  return (
    <AccountPage title={title}>
      <PageHead title={title} hidden />
      <ForLoggedIn
        waiting={
          <>
            <NoScript kind="staff" />
            <LateScript kind="page" />
          </>
        }
      >
        {refused?.status === 401 ? (
          <SessionOver />
        ) : refused?.status === 403 ? (
          <Notice
            kind="warn"
            title={wantsSecondFactor(refused) ? undefined : t('forbidden')}
            action={
              wantsSecondFactor(refused) ? <ToSecondFactor /> : <ButtonLink href={page.home}>{t('home')}</ButtonLink>
            }
          >
            <p>{refused.error}</p>
          </Notice>
        ) : (
          <>
            {isStaff && (
              <div ref={tabs} className="min-w-0">
                <Tabs
                  label={t('pages')}
                  segments={[
                    { key: 'overview', href: page.admin, label: t('overview'), current: current === 'overview' },
                    ...mayOpen.map((desk) => ({
                      key: desk.key,
                      href: desk.href,
                      label: labelOf(desk),
                      current: current === desk.key,
                    })),
                  ]}
                />
              </div>
            )}
            {/* 404: the page's thing is gone; the tabs still lead on */}
            {refused?.status === 404 ? (
              <Notice kind="warn" title={refused.error} />
            ) : (
              <>
                {refused && <NotLoaded refused={refused} again={ownAgain} />}
                {/* also when a list could not be loaded: forms on the page work without it */}
                {children}
              </>
            )}
          </>
        )}
      </ForLoggedIn>
    </AccountPage>
  )
}
