import { z } from 'zod'
import { endpoint } from '../kit/shared/endpoint.ts'
import { queryText } from '../kit/shared/input.ts'
import { invalidInput, tooMany } from '../kit/shared/refusal.ts'

/** Channels that one stream may name. */
export const channelsAtMost = 20
/** A stream that was away for longer is told to ask anew for what it shows. */
export const resumableMinutes = 50

/**
 * Server-sent events. Each message is a list of changes that became visible together; its id, sent back as
 * `Last-Event-ID`, resumes the stream without a gap. Kinds of messages: `open` (the stream stands), `changes`
 * (`[{ channel, kind, data }]`), `reset` (too much was missed: ask anew for what you show).
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
