import type { z } from 'zod'
import type { AnyEndpoint, CheckedInput, RawBody, ReceivedFile } from '../shared/endpoint.ts'
import { invalidInput, Refusal, tooLarge, type Fault } from '../shared/refusal.ts'

/**
 * Checks params, query, body and files against the contract.
 * @throws invalid_input with every wrong field, too_large for a file above its limit
 */
export function checkInput<E extends AnyEndpoint>(
  endpoint: E,
  raw: {
    params?: unknown
    query?: unknown
    body?: unknown
    files?: Partial<Record<string, ReceivedFile>> | undefined
    raw?: RawBody
  },
): CheckedInput<E> {
  const checked: Record<string, unknown> = { files: raw.files ?? {}, raw: raw.raw ?? noBody }
  const fields: Record<string, Fault> = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint[part] as z.ZodType | undefined
    if (!schema) continue
    const given = raw[part] === undefined ? {} : raw[part]
    const result = schema.safeParse(given)
    if (result.success) checked[part] = result.data
    else for (const issue of result.error.issues) fields[issue.path.join('.') || part] ??= faultOf(issue, given)
  }
  if (Object.keys(fields).length > 0) throw new Refusal(invalidInput, { fields })
  for (const [name, { maxBytes }] of Object.entries(endpoint.files ?? {}))
    if ((raw.files?.[name]?.bytes.length ?? 0) > maxBytes) throw new Refusal(tooLarge)
  return checked as CheckedInput<E>
}

export const noBody: RawBody = { bytes: new Uint8Array(), signature: '' }

/** The message catalogues' key and values for an issue of zod. */
function faultOf(issue: z.core.$ZodIssue, input: unknown): Fault {
  if (issue.code === 'custom' && typeof issue.params?.['key'] === 'string') return issue.params as unknown as Fault
  if (issue.code === 'invalid_value') return { key: 'choice', values: { choices: issue.values.join(', ') } }
  const value = issue.path.reduce((of, name) => (of as Record<PropertyKey, unknown> | null | undefined)?.[name], input)
  if (issue.path.length > 0 && (value === undefined || value === null)) return { key: 'required' }
  if (issue.code === 'too_big') {
    const max = Number(issue.maximum)
    if (issue.origin === 'string') return { key: 'too_long', values: { min: 0, max } }
    return { key: issue.origin === 'array' ? 'too_many' : 'at_most', values: { max } }
  }
  if (issue.code === 'too_small') {
    const min = Number(issue.minimum)
    if (issue.origin === 'string') return { key: 'too_short', values: { min } }
    return { key: issue.origin === 'array' ? 'too_few' : 'at_least', values: { min } }
  }
  if (issue.code === 'invalid_format') return { key: ofFormat[issue.format] ?? 'invalid' }
  if (issue.code === 'invalid_type')
    return { key: (issue.path.length === 0 && 'json_object') || ofType[issue.expected] || 'invalid' }
  if (issue.code === 'invalid_union') {
    const expected = issue.errors.flat().flatMap((each) => (each.code === 'invalid_type' ? each.expected : []))
    return { key: expected.map((type) => ofType[type]).find((key) => key && key !== 'text') ?? 'invalid' }
  }
  return { key: 'invalid' }
}

const ofType: Record<string, string> = {
  string: 'text',
  number: 'number',
  int: 'integer',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
}
const ofFormat: Record<string, string> = { uuid: 'id', date: 'day', datetime: 'instant' }
