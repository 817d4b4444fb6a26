import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { storeLastPosition } from '../../kit/browser/last-position.ts'
import { askPosition, type AskedPosition, type Own } from './position.ts'

type Note = 'denied' | 'unknown' | 'default' | 'rough'
/** These say what the map shows, and so only until somebody has moved it. */
const ofView: readonly Note[] = ['unknown', 'default']

/** Where the visitor is, once asked for, and what the map says of it. */
export function useOwnPosition() {
  const t = useTranslations('dealsMap')
  const [own, setOwn] = useState<Own | null>(null)
  const [isLocating, setLocating] = useState(false)
  const [said, say] = useState<{ note: Note; text: string } | null>(null)
  const tell = (note: Note, values: { distance: string } = { distance: '' }) =>
    say({ note, text: t(`position.${note}`, values) })
  async function locate(isAsked: boolean): Promise<AskedPosition> {
    setLocating(true)
    const answer = await askPosition()
    setLocating(false)
    if (answer.place) {
      storeLastPosition(answer.place)
      setOwn(answer.place)
      say(null)
    } else tell(answer.why === 'denied' && !isAsked ? 'default' : answer.why)
    return answer
  }
  const forgetView = () => say((before) => (before && ofView.includes(before.note) ? null : before))
  return { own, locate, isLocating, said: said?.text ?? null, tell, forgetView }
}
