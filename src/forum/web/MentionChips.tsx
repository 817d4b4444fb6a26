import { useTranslations } from 'use-intl'
import type { Person } from './mentioning.ts'

/** Suggestions for the mention that is being typed; a tap completes it. */
export function MentionChips({ people, choose }: { people: Person[]; choose: (person: Person) => void }) {
  const t = useTranslations('forumWrite')
  return (
    <>
      <output className="sr-only">{people.length > 0 ? t('mentionCount', { n: people.length }) : ''}</output>
      {people.length > 0 && (
        <ul aria-label={t('mention')} className="flex flex-wrap gap-2">
          {people.map((person) => (
            <li key={person.handle}>
              <button
                type="button"
                onClick={() => choose(person)}
                className="min-h-11 rounded-6 border-2 border-rule px-3 text-left text-sm hover:border-ink"
              >
                <span className="font-semibold">{person.name}</span>{' '}
                <span className="text-ink-soft">@{person.handle}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
