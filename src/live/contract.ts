import { z } from 'zod'
import { endpoint } from '../kit/shared/endpoint.ts'
import { queryText } from '../kit/shared/input.ts'
import { invalidInput, tooMany } from '../kit/shared/refusal.ts'

/** Channels per stream. */
export const channelsAtMost = 20
/** A stream that reconnects later than this gets `reset` instead of what it missed. */
export const resumableMinutes = 50

/** Something that changed. */
export interface LiveEvent {
  /** `topic:<id>`, `programme`, `account:<id>` …; 80 characters at most. */
  channel: string
  kind: string
  /** At most 4,000 bytes of JSON: an id and what a list shows. Screens load the rest by the id. */
  data: Record<string, unknown>
}

/**
 * Server-sent events. A message has an id; sent back as `Last-Event-ID`, it resumes the stream without a gap. Kinds of
 * messages: `open` (the stream has begun), `changes` (`[{ channel, kind, data }]`, committed together or close to each
 * other), `reset` (too much was missed: load again what the page shows).
 */
export const openStream = endpoint({
  method: 'GET',
  path: '/api/stream',
  summary:
    'Changes as they happen, as server-sent events. Public channels are named in the query; with a token one’s own come along. Resumes by Last-Event-ID',
  tag: 'live',
  query: z.object({ channels: queryText(2000).describe('public channels, separated by commas, such as topic:<id>') }),
  access: 'noticed',
  answer: null,
  status: 200,
  stream: true,
  refusals: [invalidInput, tooMany],
})
