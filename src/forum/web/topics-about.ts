import { ask, type Carrier } from '../../kit/browser/asking.ts'
import type { Topic } from '../contract.ts'
import { listTopics } from './calls.ts'

/** The newest topics about an event; none where they cannot be had. */
export async function topicsAbout(by: Carrier, eventId: string): Promise<Topic[]> {
  const { answer } = await ask(by, listTopics, { query: { linked: eventId, limit: '3' } })
  return answer?.body ?? []
}
