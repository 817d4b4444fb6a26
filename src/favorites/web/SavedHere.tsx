import 'texts:accountForms,categories,deals,favorites,forms'
import { useEffect, useState, type ReactNode } from 'react'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { AccountPage } from '../../kit/browser/ui/Page.tsx'
import { useKnownSession } from '../../accounts/web/session.ts'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { loginPageWithNext, page } from '../../site-map.ts'
import { type Favorite, previewFavorites } from '../contract.ts'
import { previewMost } from '../limits.ts'
import { FavoriteGroups } from './FavoriteGroups.tsx'
import { NotYet } from './FavoritesScreen.tsx'
import { storeWholeList, useOfflineList } from './offline-list.ts'
import { keyOf, useSavedKeys } from './saved.ts'

/**
 * `/deals?saved=1`: a guest's favorites on this phone. With an account they are on its own page. `tabs`: links to all that is saved
 * here.
 */
export default function SavedHere({ tabs }: { tabs: ReactNode }) {
  const t = useTranslations('favorites')
  const session = useKnownSession()
  return (
    <>
      <PageHead title={t('savedHere')} description={t('description')} hidden />
      <AccountPage title={t('savedHere')}>
        {tabs}
        {session === 'user' && <Navigate to={page.favorites} replace />}
        {/* known to the phone alone, so not rendered by the server */}
        {session === 'unknown' || session === 'user' ? <NotYet /> : <OnThisPhone />}
      </AccountPage>
    </>
  )
}

function OnThisPhone() {
  const t = useTranslations('favorites')
  const saved = useSavedKeys()
  // the keys at opening: removed ones are hidden, and nothing is loaded again
  const [first] = useState(() => saved.slice(0, previewMost))
  const keys = first.join(',')
  const { body, refused, again } = useAnswer(previewFavorites, keys ? { query: { keys } } : null)
  const [older, setOlder] = useState<{ favorites: Favorite[]; asked: string[] }>({ favorites: [], asked: first })
  const left = saved.filter((key) => !older.asked.includes(key))
  const [busy, setBusy] = useState(false)
  const [notOlder, setNotOlder] = useState<RefusedAnswer | null>(null)
  useEffect(() => {
    if (body) void storeWholeList(body)
  }, [body])
  const offline = useOfflineList(refused)
  const shown = offline
    ? offline.favorites.filter((each) => saved.includes(keyOf(each)))
    : body || !keys
      ? [...(body ?? []), ...older.favorites]
      : null
  const showOlder = async () => {
    setBusy(true)
    const asked = left.slice(0, previewMost)
    const { answer, refused } = await ask(callByFetch, previewFavorites, { query: { keys: asked.join(',') } })
    setBusy(false)
    setNotOlder(refused)
    if (answer) setOlder({ favorites: [...older.favorites, ...answer.body], asked: [...older.asked, ...asked] })
  }
  return (
    <>
      {saved.length > 0 && (
        <Notice
          action={
            <ButtonLink href={loginPageWithNext(page.userLogin, page.favorites)} variant="primary">
              {t('logIn')}
            </ButtonLink>
          }
        >
          {t('onThisPhone')}
        </Notice>
      )}
      {refused && !offline ? (
        <NotLoaded refused={refused} again={again} />
      ) : shown ? (
        <>
          <FavoriteGroups favorites={shown} />
          {notOlder && <Refused refused={notOlder} tapped />}
          {!offline && left.length > 0 && (
            <Button className="justify-self-center" loading={busy} onClick={() => void showOlder()}>
              {t('older')}
            </Button>
          )}
        </>
      ) : (
        <NotYet />
      )}
    </>
  )
}
