import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { storePosition } from '../../kit/browser/here-and-now.ts'
import { askPosition, type PositionAnswer, type OwnPosition } from '../../kit/browser/ask-position.ts'

type Note = 'denied' | 'unknown' | 'default' | 'rough'
/** Notes about the view of the map: they go when it is moved. */
const ofView: readonly Note[] = ['unknown', 'default']

/** The visitor's position, once asked for, and the note about it. */
export function useOwnPosition() {
  const t = useTranslations('dealsMap')
  const [own, setOwn] = useState<OwnPosition | null>(null)
  const [isLocating, setLocating] = useState(false)
  const [shown, setShown] = useState<{ note: Note; text: string } | null>(null)
  const showNote = (note: Note, values: { distance: string } = { distance: '' }) =>
    setShown({ note, text: t(`position.${note}`, values) })
  async function locate(isAsked: boolean): Promise<PositionAnswer> {
    setLocating(true)
    const answer = await askPosition()
    setLocating(false)
    if (answer.place) {
      storePosition(answer.place)
      setOwn(answer.place)
      setShown(null)
    } else showNote(answer.why === 'denied' && !isAsked ? 'default' : answer.why)
    return answer
  }
  const forgetView = () => setShown((before) => (before && ofView.includes(before.note) ? null : before))
  return { own, locate, isLocating, note: shown?.text ?? null, showNote, forgetView }
}
