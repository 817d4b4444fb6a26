import type { LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { getDeal } from '../../deals/web/calls.ts'
import { cardDeal, DealCard } from '../../deals/web/DealCard.tsx'
import { getEvent } from '../../events/web/calls.ts'
import { cardEvent } from '../../events/web/card-event.ts'
import { EventCard } from '../../events/web/EventCard.tsx'
import { ask } from '../../kit/browser/asking.ts'
import type { Topic } from '../contract.ts'

export type Linked =
  { kind: 'deal'; deal: ReturnType<typeof cardDeal> } | { kind: 'event'; event: ReturnType<typeof cardEvent> }

/** The deal or event that a topic is about, as it is now; null where there is none any more. */
export async function linkedOf(
  context: LoaderFunctionArgs['context'],
  { linked_kind, linked_id }: Pick<Topic, 'linked_kind' | 'linked_id'>,
): Promise<Linked | null> {
  if (linked_kind === null || linked_id === null) return null
  if (linked_kind === 'event') {
    const { answer } = await ask(context, getEvent, { params: { event_id: linked_id } })
    return answer && { kind: 'event', event: cardEvent(answer.body) }
  }
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
      {linked.kind === 'event' ? <EventCard event={linked.event} /> : <DealCard deal={linked.deal} />}
    </section>
  )
}
