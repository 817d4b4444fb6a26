import { z } from 'zod'

/**
 * A contract's shape as JSON Schema, with named shapes inlined instead of referenced. `wire`: for fast-json-stringify, without limits,
 * because it would check the limits of nullable texts at every answer. `document`: for the OpenAPI document, with all limits.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', purpose: 'wire' | 'document') {
  const json = z.toJSONSchema(schema, {
    io,
    target: 'draft-07',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema: each }) => {
      const meta = z.globalRegistry.get(zodSchema as unknown as z.ZodType) as { override?: object } | undefined
      for (const key of forReaders) delete each[key]
      if (meta?.override) {
        delete each['override']
        Object.assign(each, meta.override)
        delete each['anyOf']
      }
      if (purpose === 'wire') for (const limit of limits) delete (each as Record<string, unknown>)[limit]
      else if (each.type === 'integer') each.format = integerFormat(each)
    },
  }) as Record<string, unknown>
  delete json['$schema']
  const definitions = (json['definitions'] ?? {}) as Record<string, unknown>
  delete json['definitions']
  const whole = inlined(json, definitions)
  return (purpose === 'wire' ? oneOrNull(whole) : whole) as Record<string, unknown>
}

/** Meta keys that only `kit/browser/answer-reader.ts` uses, and `id`, the name of a shape. */
const forReaders = ['id', 'unread', 'form', 'within', 'pieces']

const limits = ['minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'minimum', 'maximum']

function integerFormat({ minimum, maximum }: { minimum?: number; maximum?: number }) {
  const fits = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < 2 ** 31
  return fits(minimum) && fits(maximum) ? 'int32' : 'int64'
}

function inlined(json: unknown, definitions: Record<string, unknown>): unknown {
  if (Array.isArray(json)) return json.map((each) => inlined(each, definitions))
  if (typeof json !== 'object' || json === null) return json
  const name = /^#\/definitions\/(\w+)$/.exec((json as { $ref?: string }).$ref ?? '')?.[1]
  if (name) return inlined(definitions[name], definitions)
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, inlined(value, definitions)]))
}

/** Writes "anyOf a type or null" as a list of two types: the serialiser checks values against every branch of an "anyOf". */
function oneOrNull(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(oneOrNull)
  if (typeof json !== 'object' || json === null) return json
  const { anyOf, ...rest } = json as { anyOf?: Record<string, unknown>[] }
  const one = anyOf?.length === 2 && anyOf[1]?.['type'] === 'null' ? anyOf[0]! : null
  if (one && typeof one['type'] === 'string' && !('enum' in one))
    return { ...(oneOrNull(one) as object), ...rest, type: [one['type'], 'null'] }
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, oneOrNull(value)]))
}
