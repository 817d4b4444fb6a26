import { ask, type Carrier } from '../../kit/browser/ask.ts'
import { listTopics, type Topic } from '../contract.ts'

/** The newest topics about an event; none if they cannot be loaded. */
export async function topicsAbout(by: Carrier, eventId: string): Promise<Topic[]> {
  const { answer } = await ask(by, listTopics, { query: { linked: eventId, limit: '3' } })
  return answer?.body ?? []
}
