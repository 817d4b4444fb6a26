import { useMemo, type ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { initialsOf, useFriends, type Friend } from './friends.ts'
import { useIsSaved } from './saved.ts'

/** Draws the initials of friends who saved an event; null for an event that none of them saved. */
export type MarkOf = (eventId: string) => ReactNode | null

/** The same function until the friends or their events change; null: there are no friends on my timetable. */
export function useFriendMarks(): MarkOf | null {
  const friends = useFriends()
  return useMemo(() => {
    if (friends.length === 0) return null
    const byEvent = new Map<string, Friend[]>()
    for (const friend of friends) for (const id of friend.events) byEvent.set(id, [...(byEvent.get(id) ?? []), friend])
    return (eventId) => {
      const savers = byEvent.get(eventId)
      return savers ? <FriendMark eventId={eventId} savers={savers} friends={friends} /> : null
    }
  }, [friends])
}

function FriendMark({ eventId, savers, friends }: { eventId: string; savers: Friend[]; friends: readonly Friend[] }) {
  const t = useTranslations('friends')
  const locale = useLocale()
  const isMine = useIsSaved(eventId)
  const names = new Intl.ListFormat(locale).format(savers.map(({ name }) => name))
  return (
    <span className="inline-flex max-w-full flex-wrap gap-0.5">
      {savers.map((friend) => (
        <Initials key={friend.token} isHighlighted={isMine}>
          {initialsOf(friend, friends)}
        </Initials>
      ))}
      <span className="sr-only">{t('savedBy', { names, mine: isMine ? 'yes' : 'no' })}</span>
    </span>
  )
}

/** `isHighlighted`: on an event that I saved too. */
export function Initials({ isHighlighted, children }: { isHighlighted: boolean; children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-grid h-5 min-w-5 place-items-center rounded-full border-2 px-0.5 text-xs leading-none font-bold ${isHighlighted ? 'border-night bg-lantern text-on-lantern' : 'border-ink bg-surface text-ink'}`}
    >
      {children}
    </span>
  )
}
