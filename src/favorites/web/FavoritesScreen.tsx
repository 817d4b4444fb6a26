import 'texts:accountForms,categories,deals,favorites,forms'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ForLoggedIn, NotLoaded } from '../../accounts/web/guards.tsx'
import { LateScript } from '../../accounts/web/parts.tsx'
import { VisitorsOnly } from '../../accounts/web/VisitorsOnly.tsx'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { AccountPage } from '../../kit/browser/ui/Page.tsx'
import { useSession } from '../../accounts/web/session.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { type Favorite, listFavorites } from '../contract.ts'
import { FavoriteGroups } from './FavoriteGroups.tsx'
import { firstPage, storeWholeList, useOfflineList } from './offline-list.ts'
import { keyOf, useIsMerged, useSavedKeys, useSentKeys } from './saved.ts'

/** The document is the same for everybody; private data is loaded by script. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

export default function FavoritesScreen() {
  const t = useTranslations('favorites')
  return (
    <>
      <PageHead title={t('title')} description={t('description')} hidden />
      <AccountPage title={t('title')}>
        <ForLoggedIn waiting={<NotYet />}>
          {/* the key loads the list again after a guest's picks were merged */}
          <Saved key={String(useIsMerged())} />
        </ForLoggedIn>
      </AccountPage>
    </>
  )
}

export function NotYet() {
  const t = useTranslations('favorites')
  return (
    <>
      <noscript>
        <Notice kind="warn">{t('noScript')}</Notice>
      </noscript>
      <LateScript kind="page" />
      <Waiting sizes={['h-32', 'h-32', 'h-32']} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3" />
    </>
  )
}

function Saved() {
  const t = useTranslations('favorites')
  const isMerchant = useSession() === 'business'
  const { body, refused, next, again } = useAnswer(listFavorites, isMerchant ? null : firstPage)
  const keys = useSavedKeys()
  useEffect(() => {
    if (body) void storeWholeList(body)
  }, [body])
  const offline = useOfflineList(refused)
  const [older, setOlder] = useState<{ favorites: Favorite[]; next: string | null } | null>(null)
  useMoreElsewhere((added) => {
    const shown = [...(body ?? []), ...(older?.favorites ?? [])].map(keyOf)
    if (!body || added.every((key) => shown.includes(key))) return
    setOlder(null)
    again()
  })
  const [busy, setBusy] = useState(false)
  const [notOlder, setNotOlder] = useState<RefusedAnswer | null>(null)
  if (isMerchant) return <VisitorsOnly />
  if (offline) {
    // also hides things that were removed offline
    const left = offline.favorites.filter((each) => keys.includes(keyOf(each)))
    return <FavoriteGroups favorites={left} />
  }
  if (refused) return <NotLoaded refused={refused} again={again} />
  if (!body) return <NotYet />
  const after = older ? older.next : next
  const showOlder = async () => {
    if (after === null) return
    setBusy(true)
    const query = { ...firstPage.query, after }
    const outcome = await ask(callByFetch, listFavorites, { as: 'background', query })
    const { answer } = outcome
    setBusy(false)
    setNotOlder(outcome.refused)
    if (answer) setOlder({ favorites: [...(older?.favorites ?? []), ...answer.body], next: answer.next })
  }
  return (
    <>
      <FavoriteGroups favorites={[...body, ...(older?.favorites ?? [])]} />
      {notOlder && <Refused refused={notOlder} tapped />}
      {after !== null && (
        <Button className="justify-self-center" loading={busy} onClick={() => void showOlder()}>
          {t('older')}
        </Button>
      )}
    </>
  )
}

/** Calls `onAdded` when something is saved while the list is open, for example in another tab. */
function useMoreElsewhere(onAdded: (added: string[]) => void) {
  const sent = useSentKeys()
  const before = useRef<string[] | null>(null)
  const hear = useEffectEvent(onAdded)
  useEffect(() => {
    const keys = sent.split(' ').filter(Boolean)
    const added = keys.filter((key) => !before.current?.includes(key))
    if (before.current && added.length > 0) hear(added)
    before.current = keys
  }, [sent])
}
