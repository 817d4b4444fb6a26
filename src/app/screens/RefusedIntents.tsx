import 'texts:refused'
import type { ReactNode } from 'react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { useTranslations } from 'use-intl'
import { outbox } from '../../kit/browser/outbox.ts'
import { useOutbox } from '../../kit/browser/use-outbox.ts'
import { TopLine } from '../../kit/browser/ui/TopLine.tsx'
import { ownIntents } from './intents.ts'

/** Names what was done here and the server has refused or another device has overruled, until somebody has read it. */
export default function RefusedIntents(): ReactNode {
  const t = useTranslations('refused')
  useOutbox(outbox.all, none)
  const refused = ownIntents(true)
  if (refused.length === 0) return null
  return (
    <TopLine
      label={t('title')}
      Icon={CircleAlert}
      end={
        <button
          type="button"
          onClick={() => outbox.remove(refused.map(({ intent }) => intent))}
          className="link target font-semibold"
        >
          {t('read')}
        </button>
      }
    >
      <output>
        {refused
          .flatMap(({ intent, words }) => [t(words.key as 'unnamed', words.values), intent.refused?.error, words.text])
          .filter(Boolean)
          .join(' ')}
      </output>
    </TopLine>
  )
}
const none: ReturnType<typeof outbox.all> = []
