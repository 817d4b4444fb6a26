import 'texts:friends'
import { useEffect } from 'react'
import { useFriendMarks, type MarkOf } from './FriendMark.tsx'
import { FriendsHere } from './FriendsHere.tsx'

/** The legend of friends above the timetable of the programme. `onMark` gets what draws their initials. */
export default function FriendsOnTimetable({ onMark }: { onMark: (mark: { markOf: MarkOf | null }) => void }) {
  const markOf = useFriendMarks()
  useEffect(() => {
    onMark({ markOf })
    return () => onMark({ markOf: null })
  }, [markOf, onMark])
  return <FriendsHere />
}
