import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { page } from '../../site-map.ts'
import type { Favorite } from '../contract.ts'
import { kinds } from '../limits.ts'
import { FavoriteCard } from './FavoriteCard.tsx'
import { keyOf, useSavedKeys } from './saved.ts'

/** Favorites by kind. Removed ones disappear at once. */
export function FavoriteGroups({ favorites }: { favorites: Favorite[] }) {
  const t = useTranslations('favorites')
  const keys = new Set(useSavedKeys())
  const shown = favorites.filter((favorite) => keys.has(keyOf(favorite)))
  if (shown.length === 0)
    return (
      <EmptyState
        title={t('empty')}
        action={
          <ButtonLink href={page.deals} variant="primary">
            {t('findDeals')}
          </ButtonLink>
        }
      >
        {t('emptyText')}
      </EmptyState>
    )
  return kinds.map((kind) => {
    const ofKind = shown.filter((favorite) => favorite.kind === kind)
    return (
      ofKind.length > 0 && (
        <section key={kind} aria-labelledby={`saved-${kind}`} className="grid gap-4">
          <h2 id={`saved-${kind}`}>{t(kind)}</h2>
          <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
            {ofKind.map((favorite) => (
              <li key={favorite.id} className="min-w-0">
                <FavoriteCard favorite={favorite} />
              </li>
            ))}
          </ul>
        </section>
      )
    )
  })
}
