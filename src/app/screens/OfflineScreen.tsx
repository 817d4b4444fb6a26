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
import OfflineLinks from './OfflineLinks.tsx'
import { Placard } from './Placard.tsx'

/** The document is the same for everybody; only the browser reads which page is wanted. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/**
 * `?next=`: opens that page within the app, with cached answers, because its document cannot be fetched. `?wanted=`: waits for the
 * network to open that page, because the file of its screen is not cached.
 */
export default function OfflineScreen() {
  const t = useTranslations('offline')
  const say = useTranslations('errors')
  const navigate = useNavigate()
  const { search } = useLocation()
  const query = new URLSearchParams(search)
  const next = pageIn(query.get('next'))
  // after hydration only, since the cached document was rendered without a query
  const wanted = useHydrated() ? pageIn(query.get('wanted')) : null
  useEffect(() => {
    if (next === null) return
    const way = next + location.hash
    // if the file of that screen cannot be fetched, the router reloads this page
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
        <OfflineLinks />
      </Placard>
    </>
  )
}

function pageIn(path: string | null): string | null {
  const own = ownPath(path)
  if (!own || own.startsWith(page.offline)) return null
  // the search of everything is not stored: the stored deals are searched
  return own.startsWith(`${page.search}?`) ? page.deals + own.slice(page.search.length) : own
}
