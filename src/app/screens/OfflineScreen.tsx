import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { ownPath } from '../../kit/shared/own-path.ts'
import { page } from '../../site-map.ts'
import KeptPlaces from './KeptPlaces.tsx'
import { Placard } from './Placard.tsx'

/** The same document for everybody; which page is wanted only the browser looks up. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/** `?next=`: opens that page within the app, with what this phone has kept of it, where its document cannot be had. */
export default function OfflineScreen() {
  const t = useTranslations('offline')
  const navigate = useNavigate()
  useEffect(() => {
    const next = ownPath(new URLSearchParams(location.search).get('next'))
    if (next === null || next.startsWith(page.offline)) return
    const wanted = next + location.hash
    // the router reloads the page where this phone has no file of that screen: then this page stays
    history.replaceState(history.state, '', page.offline)
    void navigate(wanted, { replace: true })
  }, [navigate])
  return (
    <>
      <PageHead title={t('title')} description={t('text')} hidden />
      <Placard title={t('title')} picture="lost">
        <p className="text-lg">{t('text')}</p>
        <KeptPlaces />
      </Placard>
    </>
  )
}
