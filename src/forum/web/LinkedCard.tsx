import 'texts:categories,deals,events'
import { DealCard } from '../../deals/web/DealCard.tsx'
import { EventCard } from '../../events/web/EventCard.tsx'
import type { Linked } from './linked.ts'

/** The deal or event that a topic is about. */
export default function LinkedCard({ linked }: { linked: Linked }) {
  return linked.kind === 'event' ? <EventCard event={linked.event} /> : <DealCard deal={linked.deal} />
}
