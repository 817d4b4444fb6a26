import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { callOf, type Readers } from '../src/kit/browser/answer-reader.ts'
import type { AnyEndpoint } from '../src/kit/shared/endpoint.ts'
import { root } from './sources.ts'

const source = (path: string) => join(root, 'src', path).replaceAll('\\', '/')
const readingFile = source('kit/browser/reading.ts')
const shapeFile = (name: string) => `${readingFile}?shape=${name}`

/**
 * Replaces contracts in the code of screens (browser and server rendering): each endpoint becomes its operation and a tolerant reader
 * of its answer (`kit/browser/answer-reader.ts`), plain values stay. Shapes and their library are left out; a screen that
 * imports a shape gets a build error that names it (decision 75).
 */
export function browserContracts(): Plugin {
  let modules = new Map<string, string>()
  return {
    name: 'browser-contracts',
    enforce: 'pre',
    async buildStart() {
      modules = await browserModules()
    },
    resolveId: (id) => (modules.has(id) ? { id, moduleSideEffects: false } : null),
    load: (id) => (modules.has(id) ? { code: modules.get(id)!, moduleSideEffects: false } : null),
  }
}

/** Source text of each module, by its id. Each endpoint and named shape is a module, so that a screen loads only those it uses. */
export async function browserModules(): Promise<Map<string, string>> {
  const modules = new Map([[source('kit/browser/endpoint-call.ts'), 'export const endpointCall = (call) => call']])
  const names = new Map<unknown, string>()
  for (const file of globSync(['src/*/contract/*.ts', 'src/*/contract.ts'], { cwd: root }).sort()) {
    const path = join(root, file).replaceAll('\\', '/')
    const contract = (await import(pathToFileURL(path).href)) as Record<string, unknown>
    const lines = Object.entries(contract).map(([name, value]) => {
      if (isPlain(value)) return `export const ${name} = ${JSON.stringify(value)}`
      // screens never call webhooks
      if (!isEndpoint(value) || value.webhook) return ''
      // contract.ts exports the endpoints of contract/*.ts again: one module for both
      const id = names.get(value) ?? `${path}?endpoint=${name}`
      names.set(value, id)
      modules.set(id, `export const endpoint = ${textOf(value)}`)
      return `export { endpoint as ${name} } from '${id}'`
    })
    modules.set(path, lines.filter(Boolean).join('\n'))
  }
  for (const [name, fields] of shapes) modules.set(shapeFile(name), `export const ${name} = ${shapeText(name, fields)}`)
  for (const [id, code] of modules) modules.set(id, imports(code) + code)
  return modules
}

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Whether JSON can express a value: numbers, texts, lists and objects of them. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && value !== undefined
  if (Array.isArray(value)) return value.every(isPlain)
  return Object.getPrototypeOf(value) === Object.prototype && !isEndpoint(value) && Object.values(value).every(isPlain)
}

/** The fields of each named shape, as source text. */
const shapes = new Map<string, Record<string, string>>()

const textOf = (endpoint: AnyEndpoint) => {
  const { read, ...rest } = callOf(endpoint, printed)
  return `{ ...${JSON.stringify(rest)}, read: ${read} }`
}

const json = (value: unknown) => JSON.stringify(value)
const fieldsText = (fields: Record<string, string>) =>
  `{ ${Object.entries(fields)
    .map(([name, text]) => `${json(name)}: ${text}`)
    .join(', ')} }`

/** Readers as source text. */
const printed: Readers<string> = {
  anything: 'r.anything',
  unchanged: 'r.unchanged',
  anyObject: 'r.anyObject',
  pieces: 'pieces',
  text: 'r.text',
  needed: 'r.needed',
  number: 'r.number',
  flag: 'r.flag',
  instant: 'r.instant',
  textOr: (unread) => `r.textOr(${json(unread)})`,
  numberOr: (unread) => `r.numberOr(${unread})`,
  flagOr: (unread) => `r.flagOr(${unread})`,
  within: (least, most) => `r.within(${least}, ${most})`,
  like: (form) => `r.like(${form})`,
  oneOf: (values, unread) => `r.oneOf(${json(values)}, ${json(unread)})`,
  list: (item) => `r.list(${item})`,
  record(fields, name) {
    if (!name) return `r.record(${fieldsText(fields)})`
    const known = shapes.get(name)
    if (known && fieldsText(known) !== fieldsText(fields)) throw new Error(`Two shapes are named ${name}.`)
    shapes.set(name, fields)
    return `r.record(${name})`
  },
  likest: (options) => `r.likest([${options.map(({ fields, read }) => `{ fields: ${json(fields)}, read: ${read} }`)}])`,
  or: (read, unread) => `r.or(${read}, ${json(unread)})`,
  sure: (read) => `r.sure(${read})`,
  maybe: (read) => `r.maybe(${read})`,
}

/** The fields of a shape as source text. If it contains another shape, the largest one is spread into it. */
function shapeText(name: string, fields: Record<string, string>): string {
  const size = (of: Record<string, string>) => Object.keys(of).length
  const [within] = [...shapes]
    .filter(([other, has]) => other !== name && size(has) > 3 && size(has) < size(fields))
    .filter(([, has]) => Object.entries(has).every(([field, text]) => fields[field] === text))
    .toSorted(([, a], [, b]) => size(b) - size(a))
  if (!within) return fieldsText(fields)
  const own = Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in within[1])))
  return `{ ...${within[0]}, ${fieldsText(own).slice(2)}`
}

function imports(code: string): string {
  const used = [...shapes.keys()].filter((name) => code.includes(`r.record(${name})`) || code.includes(`...${name},`))
  return [
    `import * as r from '${readingFile}'`,
    `import { pieces } from '${source('kit/browser/read-pieces.ts')}'`,
    ...used.map((name) => `import { ${name} } from '${shapeFile(name)}'`),
    '',
  ].join('\n')
}
