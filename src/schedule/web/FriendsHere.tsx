import { useState } from 'react'
import { late } from '../../kit/browser/late.tsx'
import { useFriends } from './friends.ts'

const FriendsLegend = late(() => import('./FriendsLegend.tsx'))

/** The legend of the friends on my timetable; its code is loaded if there are any. */
export function FriendsHere() {
  const hasFriends = useFriends().length > 0
  const [isShown, setShown] = useState(false)
  // it stays after the last friend has left, to say so
  if (hasFriends && !isShown) setShown(true)
  return isShown && <FriendsLegend />
}
