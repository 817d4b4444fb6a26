import { useEffect } from 'react'
import Layers from 'lucide-react/icons/layers'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { eventsPage } from '../../site-map.ts'
import { addFriend, friendsMost, removeFriend, updateFriend, useFriends } from './friends.ts'

type Shared = Parameters<typeof addFriend>[1]

/** Puts a friend's events on my timetable with one tap, and takes them off again. */
export function OverlayButton({ token, shared }: { token: string; shared: Shared }) {
  const t = useTranslations('friends')
  const alive = useHydrated()
  const navigate = useNavigate()
  const { note, show, close } = useToast()
  const isOn = useFriends().some((friend) => friend.token === token)
  useEffect(() => updateFriend(token, shared), [token, shared])
  if (!alive) return null
  const toggle = () => {
    if (isOn) return removeFriend(token)
    if (!addFriend(token, shared)) return show({ text: t('full', { n: friendsMost }) })
    const toTimetable = () => void navigate(eventsPage({ view: 'grid' }))
    show({ text: t('added', { name: shared.owner }), action: { label: t('toTimetable'), onClick: toTimetable } })
  }
  return (
    <>
      <Button icon={<Layers aria-hidden="true" className="size-5" />} onClick={toggle}>
        {t(isOn ? 'takeOff' : 'overlay')}
      </Button>
      <Toast note={note} onClose={close} closeLabel={t('close')} />
    </>
  )
}
