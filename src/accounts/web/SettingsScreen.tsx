import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { AccountPage } from '../../kit/browser/ui/Page.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { getMe, type Me } from '../contract.ts'
import { noteAccount } from './account-notes.ts'
import { ForLoggedIn, NotLoaded } from './guards.tsx'
import { LateScript, NoScript } from './parts.tsx'
import { Chapters } from './settings/Chapters.tsx'
import { Goodbye, type Leaving } from './settings/Goodbye.tsx'
import { SettingsContext, type SettingsParts } from './settings/Row.tsx'

/** The document holds nothing private; the script loads the account. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/** @param notices settings of notifications, a row of a room above with the id `notifications` */
export default function SettingsScreen({ notices }: { notices?: ReactNode }) {
  const t = useTranslations('settings')
  const [left, setLeft] = useState<Leaving | null>(null)
  if (left) return <Goodbye {...left} />
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
            {waiting}
          </Sheet>
        }
      >
        <Settings gone={setLeft} notices={notices} />
      </ForLoggedIn>
    </>
  )
}

function Sheet({ me, children }: { me?: Me | null; children: ReactNode }) {
  const t = useTranslations('settings')
  return (
    <AccountPage title={t('title')} lead={me?.email ?? ''}>
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[15rem_minmax(0,46rem)]">{children}</div>
    </AccountPage>
  )
}

const waiting = <Waiting sizes={['h-24', 'h-24', 'h-24', 'h-24']} className="grid gap-5 lg:col-start-2" />

function Settings({ gone, notices }: { gone: (left: Leaving) => void; notices: ReactNode }) {
  const common = useTranslations('accountForms')
  const { body: me, refused, again, set } = useAnswer(getMe, { as: 'background' })
  const { note, show, close } = useToast()
  useEffect(() => {
    if (me) noteAccount(me)
  }, [me])
  const parts = useMemo<SettingsParts | null>(() => {
    if (!me) return null
    const kind = me.role === 'business' ? 'business' : 'user'
    return {
      me,
      kind,
      changed: set,
      again,
      showNotice: (text) => show({ text }),
      gone: (deletionAt) => gone({ deletionAt, kind }),
    }
  }, [me, set, again, show, gone])
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
            <NotLoaded refused={refused} again={again} />
          </div>
        ) : (
          waiting
        )}
      </Sheet>
      <Toast note={note} onClose={close} closeLabel={common('close')} />
    </>
  )
}

/** Scrolls to the row in an address such as /settings#password, once the row exists. */
function useRowInAddress(isThere: boolean) {
  const { hash } = useLocation()
  // Only when the page opens: opening and closing rows must not scroll.
  const scroll = useEffectEvent(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'start' })
  })
  useEffect(() => {
    if (isThere) scroll()
  }, [isThere])
}
