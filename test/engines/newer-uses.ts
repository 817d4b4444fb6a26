import { parseSync } from 'vite'
import { oldestBrowsers } from '../../scripts/oldest-browsers.ts'
import { allMembers, lackedBy } from './newer-members.ts'

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** The browsers that lack a name, by name: `Temporal`, `URL.parse`. A global with several entries exists if one of them does. */
const globals = new Map<string, string[]>()
const members = new Map<string, string[]>()
/** Methods of the language by name only; names that an older interface has too are left out. */
const methods = new Map<string, string[]>()
const olderNames = new Set<string>()

for (const each of allMembers) {
  const lacking = lackedBy(each.compat, oldestBrowsers)
  const [map, key] = each.interface === null ? [globals, each.name] : [members, `${each.interface}.${each.name}`]
  if (lacking.length < (map.get(key)?.length ?? Infinity)) map.set(key, lacking)
  if (lacking.length === 0) olderNames.add(each.name)
  // members of Temporal are found by the name Temporal
  else if (each.isLanguage && each.interface?.includes('.') === false) methods.set(each.name, lacking)
}

/**
 * The uses of names in a script that one of the oldest browsers lacks, e.g. "URL.parse (safari, safari_ios): URL.parse(e)". A use is
 * fine behind `?.`, or if a condition around it, or an earlier one that returns, tests whether the name exists. Found are globals,
 * their members, and methods of the language whose name nothing older has and the script does not define itself.
 */
export function usesOfNewer(code: string): string[] {
  const { program, errors } = parseSync('script.js', code)
  if (errors.length > 0) throw new Error(errors[0]!.message)
  const own = ownNames(program as unknown as Node)
  const found: string[] = []
  walk(program as unknown as Node, [], (node, around) => {
    const newer = newerThing(node, around, own)
    if (newer && !isGuarded(node, around))
      found.push(`${newer.path} (${newer.lacking.join(', ')}): ${code.slice(node.start, node.end + 40)}`)
  })
  return found
}

/** Names of the script's own variables, and of members of its own objects and classes. */
function ownNames(program: Node) {
  const variables = new Set<string>()
  const keys = new Set<string>()
  walk(program, [], (node, around) => {
    const parent = around.at(-1)
    if (node.type === 'Identifier' && parent && isBinding(node, parent)) variables.add(node['name'] as string)
    if (/^(Property|MethodDefinition|PropertyDefinition)$/.test(node.type) && !node['computed'])
      keys.add(nameOf(node['key'])!)
    if (node.type === 'AssignmentExpression') keys.add(memberName(node['left'] as Node) ?? '')
  })
  return { variables, keys }
}

function isBinding(node: Node, parent: Node): boolean {
  if (parent.type === 'Property' || parent.type === 'AssignmentPattern') return false
  return (
    /^(Import\w*Specifier|ArrayPattern|RestElement|CatchClause)$/.test(parent.type) ||
    (/Function|Class/.test(parent.type) && parent['body'] !== node && parent['superClass'] !== node) ||
    (parent.type === 'VariableDeclarator' && parent['id'] === node)
  )
}

function newerThing(node: Node, around: Node[], own: ReturnType<typeof ownNames>) {
  const parent = around.at(-1)!
  if (node.type === 'Identifier') {
    const name = node['name'] as string
    const lacking = globals.get(name) ?? []
    if (lacking.length === 0 || own.variables.has(name) || !isReference(node, parent)) return null
    return { path: name, lacking }
  }
  if (node.type === 'Literal' && (node['regex'] as { flags?: string } | undefined)?.flags?.includes('v'))
    return { path: 'RegExp.unicodeSets', lacking: members.get('RegExp.unicodeSets') ?? [] }
  const name = memberName(node)
  if (name === null || node['optional']) return null
  const object = globalPath(node['object'] as Node, own.variables)
  if (object !== null) {
    const path = object === '' ? name : `${object}.${name}`
    const lacking = lackingOf(path)
    // only reading it is harmless: it is undefined. If its object is newer itself, the object is found
    if (lacking.length > 0)
      return isRunOrReadFrom(node, parent) && lackingOf(object).length === 0 ? { path, lacking } : null
  }
  const lacking = methods.get(name)
  const isCalled = parent.type === 'CallExpression' && parent['callee'] === node && !parent['optional']
  return lacking && isCalled && !olderNames.has(name) && !own.keys.has(name) ? { path: `….${name}`, lacking } : null
}

const lackingOf = (path: string) => (path.includes('.') ? members : globals).get(path) ?? []

/** `URL`, `Intl.Locale`; `Document` for `document`; "" for the window; null for anything else. */
function globalPath(node: Node, variables: Set<string>): string | null {
  if (node.type === 'MemberExpression') {
    const object = globalPath(node['object'] as Node, variables)
    const name = memberName(node)
    if (object === null || name === null) return null
    return object === '' ? ofInterface(name) : `${object}.${name}`
  }
  const name = nameOf(node)
  if (node.type !== 'Identifier' || name === null || variables.has(name)) return null
  return /^(window|self|globalThis)$/.test(name) ? '' : ofInterface(name)
}

/** The interface of a global object: `Document` of `document`, `Navigator` of `navigator`. */
function ofInterface(name: string): string {
  const capital = name[0]!.toUpperCase() + name.slice(1)
  return name !== capital && globals.has(name) && globals.has(capital) ? capital : name
}

const isRunOrReadFrom = (node: Node, parent: Node) =>
  !parent['optional'] &&
  ((/^(Call|New)Expression$/.test(parent.type) && parent['callee'] === node) ||
    (parent.type === 'MemberExpression' && parent['object'] === node))

/** Naming a missing global fails everywhere, except behind `typeof`. */
const isReference = (node: Node, parent: Node) =>
  !(parent.type === 'UnaryExpression' && parent['operator'] === 'typeof') &&
  !(parent.type === 'MemberExpression' && parent['property'] === node && !parent['computed']) &&
  !(/Property$|Definition$/.test(parent.type) && parent['key'] === node && !parent['computed']) &&
  !/^(Import|Export)\w*Specifier$|^MetaProperty$|^LabeledStatement$|^(Break|Continue)Statement$/.test(parent.type)

/** Whether a condition tests for the name: around the use, or earlier in its block or in the block of the enclosing function. */
function isGuarded(node: Node, around: Node[]): boolean {
  const looksFor = (condition: unknown) => mentions(condition as Node | null, nameOf(node) ?? memberName(node)!)
  return [...around].some((each, index) => {
    const within = around[index + 1] ?? node
    if (/^(If|Conditional)/.test(each.type) && each['test'] !== within) return looksFor(each['test'])
    if (each.type === 'LogicalExpression' && each['right'] === within) return looksFor(each['left'])
    const block = each['body']
    return (
      Array.isArray(block) &&
      (block as Node[])
        .slice(0, within.type === 'FunctionDeclaration' ? undefined : Math.max(0, block.indexOf(within)))
        .some((before) => before.type === 'IfStatement' && looksFor(before['test']))
    )
  })
}

/** `typeof Temporal`, `URL.parse` (read, not called) or `'parse' in URL`. */
function mentions(condition: Node | null, name: string): boolean {
  let isFound = false
  if (condition)
    walk(condition, [], (node, around) => {
      const parent = around.at(-1)
      const isCalled = parent?.type === 'CallExpression' && parent['callee'] === node
      if (node.type === 'BinaryExpression' && node['operator'] === 'in')
        isFound ||= textOf(node['left'] as Node) === name
      else isFound ||= !isCalled && (nameOf(node) === name || memberName(node) === name)
    })
  return isFound
}

const nameOf = (node: unknown) => ((node as Node).type === 'Identifier' ? ((node as Node)['name'] as string) : null)

function memberName(node: Node): string | null {
  if (node.type !== 'MemberExpression') return null
  const property = node['property'] as Node
  if (!node['computed']) return nameOf(property)
  return textOf(property)
}

/** The value of a string literal or a template without parts. */
function textOf(node: Node): string | null {
  const [only, more] = node.type === 'TemplateLiteral' ? (node['quasis'] as { value: { cooked: string } }[]) : []
  if (only && !more) return only.value.cooked
  return node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : null
}

function walk(node: Node, around: Node[], look: (node: Node, around: Node[]) => void): void {
  look(node, around)
  const below = [...around, node]
  for (const value of Object.values(node))
    for (const each of Array.isArray(value) ? value : [value])
      if (each && typeof (each as Node).type === 'string') walk(each as Node, below, look)
}
