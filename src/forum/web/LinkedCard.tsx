import type { LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { getDeal } from '../../deals/web/calls.ts'
import { cardDeal, DealCard } from '../../deals/web/DealCard.tsx'
import { ask } from '../../kit/browser/asking.ts'
import type { Topic } from '../contract.ts'

export type Linked = { kind: 'deal'; deal: ReturnType<typeof cardDeal> }

/** The deal that a topic is about, as it is now; null where there is none any more. */
export async function linkedOf(
  context: LoaderFunctionArgs['context'],
  { linked_kind, linked_id }: Pick<Topic, 'linked_kind' | 'linked_id'>,
): Promise<Linked | null> {
  if (linked_kind !== 'deal' || linked_id === null) return null
  const { answer } = await ask(context, getDeal, { params: { deal_id: linked_id } })
  return answer && { kind: 'deal', deal: cardDeal(answer.body) }
}

export function LinkedCard({ linked }: { linked: Linked }) {
  const t = useTranslations('forumTopic')
  return (
    <section aria-labelledby="linked" className="grid gap-3">
      <h2 id="linked" className="text-lg">
        {t('linked')}
      </h2>
      <DealCard deal={linked.deal} />
    </section>
  )
}
