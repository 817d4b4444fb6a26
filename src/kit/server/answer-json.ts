import fastJsonStringify from 'fast-json-stringify'
import type { AnyEndpoint } from '../shared/endpoint.ts'
import { wireSchema } from './json-schema.ts'

/**
 * Serialisers by contract, never dropped. Each is compiled at its first answer: compiling all of them at the start would take a
 * third of a second.
 */
const writers = new WeakMap<AnyEndpoint, (answer: unknown) => string>()

/** The JSON serialiser of an endpoint's answers. It drops fields that the contract does not name. */
export function writerOf(endpoint: AnyEndpoint): (answer: unknown) => string {
  const known = writers.get(endpoint)
  if (known) return known
  const writer = fastJsonStringify(wireSchema(endpoint.answer!))
  writers.set(endpoint, writer)
  return writer
}
