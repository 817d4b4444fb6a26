import fastJsonStringify from 'fast-json-stringify'
import type { AnyEndpoint } from '../shared/endpoint.ts'
import { jsonSchema } from './json-schema.ts'

/**
 * One for each contract that has answered, for as long as the process lives. Made at the first answer: all of them
 * together cost a start a third of a second.
 */
const writers = new WeakMap<AnyEndpoint, (answer: unknown) => string>()

/** Writes answers of an endpoint as JSON. Fields that its contract does not name are dropped. */
export function writerOf(endpoint: AnyEndpoint): (answer: unknown) => string {
  const known = writers.get(endpoint)
  if (known) return known
  const writer = fastJsonStringify(jsonSchema(endpoint.answer!, 'output', 'wire'))
  writers.set(endpoint, writer)
  return writer
}
