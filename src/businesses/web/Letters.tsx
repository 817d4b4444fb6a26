import { useTranslations } from 'use-intl'
import { businessesPage } from '../../site-map.ts'
import { alphabet, idOf, other } from './by-letter.ts'
import type { BusinessListData } from './load-businesses.ts'

/** Links to the letters A to Z; in a list of one page they scroll. A letter without names is no link. */
export function Letters({ letters, from, limit, isFirst, next }: BusinessListData) {
  const t = useTranslations('businesses')
  if (!letters || letters.length <= 2) return null
  const isWhole = isFirst && !next
  return (
    <nav aria-label={t('letters')}>
      <ul className="flex flex-wrap gap-1 xl:gap-0">
        {alphabet.map((letter) => (
          <li key={letter} className={letterField}>
            {letters.includes(letter) ? (
              <a
                href={
                  isWhole
                    ? `#${idOf(letter)}`
                    : letter === other
                      ? businessesPage({ limit })
                      : businessesPage({ limit, from: letter })
                }
                aria-current={letter === from ? 'true' : undefined}
                className={`${letterField} rounded-6 border-2 border-transparent text-ink no-underline hover:border-rule hover:bg-well aria-[current]:border-rule aria-[current]:bg-well`}
              >
                {letter.toUpperCase()}
              </a>
            ) : (
              <span className="font-normal text-ink-soft">{letter.toUpperCase()}</span>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

const letterField = 'figure grid size-11 place-items-center text-lg'
