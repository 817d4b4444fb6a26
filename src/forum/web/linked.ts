import type { LoaderFunctionArgs } from 'react-router'
import { getDeal } from '../../deals/contract.ts'
import { cardDeal } from '../../deals/web/card-deal.ts'
import { getEvent } from '../../events/contract.ts'
import { cardEvent } from '../../events/web/card-event.ts'
import { ask } from '../../kit/browser/ask.ts'
import type { Topic } from '../contract.ts'

export type Linked =
  { kind: 'deal'; deal: ReturnType<typeof cardDeal> } | { kind: 'event'; event: ReturnType<typeof cardEvent> }

/** The deal or event that a topic is about; null if there is none, or it is gone. */
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
