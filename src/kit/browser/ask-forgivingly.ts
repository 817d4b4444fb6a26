import type { AnswerBody, AnyEndpoint } from '../shared/endpoint.ts'
import { ask, asTyped, pageError, type ReadAnswer, type ApiCall, type Carrier } from './ask.ts'

type Query = Record<string, string | undefined>

/**
 * Asks with values from the address bar. Values that the API refuses are dropped and it is asked again, so a mistyped or
 * outdated link shows the list without that filter. `faults`: the API's text for each dropped value. @throws as `askOrFail`
 */
export async function askForgivingly<E extends AnyEndpoint, Body = AnswerBody<E>>(
  by: Carrier,
  endpoint: E | ApiCall<E, Body>,
  wanted: Query,
): Promise<{ answer: ReadAnswer<E, Body>; query: Query; faults: Record<string, string> }> {
  const query: Query = { ...wanted }
  let faults: Record<string, string> = {}
  for (let tries = 0; ; tries++) {
    const { answer, refused } = await ask(by, endpoint, asTyped(query))
    if (answer) return { answer, query, faults }
    if (refused.status !== 400 || tries === 3) throw pageError(refused)
    const names = Object.keys(refused.fields ?? {}).filter((name) => name in query)
    if (names.length === 0) {
      // a refusal without fields is about a cursor; without a cursor, give up the whole query
      if (query['after'] === undefined && query['before'] === undefined)
        for (const name of Object.keys(query)) delete query[name]
      delete query['after']
      delete query['before']
    }
    for (const name of names) delete query[name]
    faults = { ...faults, ...refused.fields }
  }
}
