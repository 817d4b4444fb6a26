import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { page } from '../../site-map.ts'

/** The buttons of a decision; once it is made, what was decided, in the same room, so that nothing moves. */
export function Decided({ text, children }: { text: string | null; children: ReactNode }) {
  const t = useTranslations('staff')
  return (
    <div className="grid grid-cols-1 items-center *:[grid-area:1/1]">
      <div className={text === null ? '' : 'invisible'}>{children}</div>
      {text !== null && (
        <p className="flex flex-wrap gap-x-3 font-semibold wrap-anywhere">
          {text}
          <a href={page.adminLog} className="link">
            {t('undoInLog')}
          </a>
        </p>
      )}
    </div>
  )
}
