import { z } from 'zod'

/** A contract's shape for fast-json-stringify: without limits, which it would check in nullable texts at every answer. */
export function wireSchema(schema: z.ZodType): Record<string, unknown> {
  return oneOrNull(inlined(converted(schema, 'output', 'wire'))) as Record<string, unknown>
}

/** An input for the OpenAPI document, with all limits and without references. */
export function inputSchema(schema: z.ZodType): Record<string, unknown> {
  return inlined(converted(schema, 'input', 'document')) as Record<string, unknown>
}

/** An answer for the OpenAPI document, with all limits. Shapes with a name (`.meta({ id })`) are references into `named`. */
export function answerSchema(answer: z.ZodType): { schema: object; named: Record<string, object> } {
  // in an object, because zod never gives a reference at the root
  const { properties, definitions } = inComponents(converted(z.object({ answer }), 'output', 'document')) as {
    properties: { answer: object }
    definitions?: Record<string, object>
  }
  return { schema: properties.answer, named: definitions ?? {} }
}

function converted(schema: z.ZodType, io: 'input' | 'output', purpose: 'wire' | 'document') {
  return z.toJSONSchema(schema, {
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
}

/** Meta keys that only `kit/browser/answer-reader.ts` uses, and `id`, the name of a shape. */
const forReaders = ['id', 'unread', 'form', 'within', 'pieces']

const limits = ['minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'minimum', 'maximum']

function integerFormat({ minimum, maximum }: { minimum?: number; maximum?: number }) {
  const fits = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < 2 ** 31
  return fits(minimum) && fits(maximum) ? 'int32' : 'int64'
}

/** With named shapes in place of the references to them. */
function inlined({ $schema: _, definitions = {}, ...json }: Record<string, unknown>): unknown {
  const walk = (value: unknown): unknown => {
    const name = /^#\/definitions\/(\w+)$/.exec((value as { $ref?: string } | null)?.$ref ?? '')?.[1]
    return name ? walk((definitions as Record<string, unknown>)[name]) : eachPart(value, walk)
  }
  return walk(json)
}

/** With references as the OpenAPI document has them. */
const inComponents = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(/^#\/definitions\//, '#/components/schemas/')
    : eachPart(value, inComponents)

function eachPart(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]))
}

/** Writes "anyOf a type or null" as a list of two types: the serialiser checks values against every branch of an "anyOf". */
function oneOrNull(json: unknown): unknown {
  const { anyOf, ...rest } = (json ?? {}) as { anyOf?: Record<string, unknown>[] }
  const one = anyOf?.length === 2 && anyOf[1]?.['type'] === 'null' ? anyOf[0]! : null
  if (one && typeof one['type'] === 'string' && !('enum' in one))
    return { ...(oneOrNull(one) as object), ...rest, type: [one['type'], 'null'] }
  return eachPart(json, oneOrNull)
}
