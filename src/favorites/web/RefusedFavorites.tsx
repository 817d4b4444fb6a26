import 'texts:refusedFavorites'
import type { ReactNode } from 'react'
import HeartOff from 'lucide-react/icons/heart-off'
import { useTranslations } from 'use-intl'
import { TopLine } from '../../kit/browser/ui/TopLine.tsx'
import { dismissFavorites, useRefusedFavorites } from './saved.ts'

/** Names what was saved here and the server has refused, until somebody has read it. */
export default function RefusedFavorites(): ReactNode {
  const t = useTranslations('refusedFavorites')
  const refused = useRefusedFavorites()
  if (refused.length === 0) return null
  return (
    <TopLine
      label={t('title')}
      Icon={HeartOff}
      end={
        <button type="button" onClick={() => dismissFavorites(refused)} className="link target font-semibold">
          {t('read')}
        </button>
      }
    >
      <output>
        {refused
          .map(({ data, refused }) =>
            [data.name === null ? t('unnamed') : t('named', { title: data.name }), refused?.error]
              .filter(Boolean)
              .join(' '),
          )
          .join(' ')}
      </output>
    </TopLine>
  )
}
