import 'texts:offline'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { onReconnect, setConnection } from '../../kit/browser/connection.ts'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { ownPath } from '../../kit/shared/own-path.ts'
import { page } from '../../site-map.ts'
import KeptPlaces from './KeptPlaces.tsx'
import { Placard } from './Placard.tsx'

/** The same document for everybody; which page is wanted only the browser looks up. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/**
 * `?next=`: opens that page within the app, with what this phone has kept of it, where its document cannot be had. `?wanted=`:
 * waits for the network to open it, because this phone has no file of that screen.
 */
export default function OfflineScreen() {
  const t = useTranslations('offline')
  const say = useTranslations('errors')
  const navigate = useNavigate()
  const { search } = useLocation()
  const asked = new URLSearchParams(search)
  const next = pageIn(asked.get('next'))
  // the document that this phone has kept knows no query
  const wanted = useHydrated() ? pageIn(asked.get('wanted')) : null
  useEffect(() => {
    if (next === null) return
    const way = next + location.hash
    // the router reloads this page where the file of that screen does not come
    history.replaceState(history.state, '', `${page.offline}?wanted=${encodeURIComponent(way)}`)
    void navigate(way, { replace: true })
  }, [next, navigate])
  useEffect(() => {
    if (wanted === null) return
    setConnection({ isOffline: true })
    return onReconnect(() => location.replace(wanted))
  }, [wanted])
  return (
    <>
      <PageHead title={t('title')} description={t('text')} hidden />
      <Placard title={t('title')} picture="lost">
        {wanted !== null && <Notice kind="offline">{say('opensByItself')}</Notice>}
        <p className="text-lg">{t('text')}</p>
        <KeptPlaces />
      </Placard>
    </>
  )
}

function pageIn(path: string | null): string | null {
  const own = ownPath(path)
  return own?.startsWith(page.offline) ? null : own
}
