import { useEffect, useState } from 'react'
import Heart from 'lucide-react/icons/heart'
import { useTranslations } from 'use-intl'
import { useSession } from '../../accounts/web/session.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import type { Savable } from '../../kit/browser/ui/SaveSlot.tsx'
import { keyOf, toggleSaved, useIsSaved } from './saved.ts'

/** ms; as long as other short messages */
const shownMs = 6000

/** A heart, or a button with a label (`wide`): one tap saves, another removes. Merchants, who save nothing, see none. */
export default function SaveButton({ wide = false, ...thing }: Savable) {
  const t = useTranslations('heart')
  const key = keyOf(thing)
  const isSaved = useIsSaved(key)
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    if (!isFull) return
    const timer = setTimeout(setFull, shownMs, false)
    return () => clearTimeout(timer)
  }, [isFull])
  if (useSession() === 'business') return null
  const toggle = () => setFull(!toggleSaved(key, thing.name))
  return (
    <>
      {wide ? (
        <Button
          size="lg"
          wide
          aria-pressed={isSaved}
          onClick={toggle}
          icon={<Heart aria-hidden="true" className={`size-5 ${isSaved ? 'fill-current text-action-text' : ''}`} />}
        >
          {t(isSaved ? 'saved' : 'saveIt')}
        </Button>
      ) : (
        <button
          type="button"
          aria-pressed={isSaved}
          aria-label={t('save', { name: thing.name })}
          onClick={toggle}
          className="group/save absolute right-0 bottom-0 z-10 grid size-[44px] place-items-center"
        >
          <span className="grid size-[32px] place-items-center rounded-6 border-2 border-rule bg-surface text-ink group-aria-pressed/save:border-action-rule group-aria-pressed/save:bg-action group-aria-pressed/save:text-on-action">
            <Heart aria-hidden="true" className="size-[20px] group-aria-pressed/save:fill-current" />
          </span>
        </button>
      )}
      {isFull && (
        <span
          role="alert"
          className={`z-10 rounded-6 border-2 border-night bg-lantern px-3 py-2 text-sm font-semibold text-on-lantern ${wide ? '' : 'absolute right-0 bottom-[44px] w-max max-w-full'}`}
        >
          {t('full')}
        </span>
      )}
    </>
  )
}
