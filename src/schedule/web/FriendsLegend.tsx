import 'texts:friends'
import { useEffect, useState } from 'react'
import X from 'lucide-react/icons/x'
import { useLocale, useTranslations } from 'use-intl'
import { IconButton } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { onReconnect } from '../../kit/browser/connection.ts'
import { onReturn } from '../../kit/browser/on-return.ts'
import { initialsOf, refreshFriends, removeFriend, useFriends } from './friends.ts'
import { Initials } from './FriendMark.tsx'

/** Whose initials stand on the timetable, each with a button that removes them. Loads stale schedules again. */
export default function FriendsLegend() {
  const t = useTranslations('friends')
  const locale = useLocale()
  const friends = useFriends()
  const [gone, setGone] = useState<readonly string[]>([])
  useEffect(() => {
    const refresh = () =>
      void refreshFriends().then((names) => {
        if (names.length > 0) setGone((before) => [...before, ...names])
      })
    refresh()
    const leave = [onReturn(refresh), onReconnect(refresh)]
    return () => {
      for (const each of leave) each()
    }
  }, [])
  return (
    <div className="grid gap-2 print-hidden">
      {gone.length > 0 && (
        <Notice>{t('gone', { names: new Intl.ListFormat(locale).format(gone), n: gone.length })}</Notice>
      )}
      {friends.length > 0 && (
        <section aria-label={t('title')} className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <ul className="flex flex-wrap gap-2">
            {friends.map((friend) => (
              <li
                key={friend.token}
                className="flex min-w-0 items-center gap-1.5 rounded-6 border-2 border-rule bg-surface pl-2"
              >
                <Initials isHighlighted={false}>{initialsOf(friend, friends)}</Initials>
                <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">{friend.name}</span>
                <IconButton
                  label={t('remove', { name: friend.name })}
                  icon={<X aria-hidden="true" className="size-4" />}
                  onClick={() => removeFriend(friend.token)}
                />
              </li>
            ))}
          </ul>
          <p className="flex items-center gap-1.5 text-sm text-ink-soft">
            <span aria-hidden="true" className="size-4 rounded-full border-2 border-night bg-lantern" />
            {t('both')}
          </p>
        </section>
      )}
    </div>
  )
}
