type Tree = Record<string, unknown>

/** The catalogue `over`, with texts of `base` where it has none. */
export function filledUp(base: unknown, over: unknown): Tree {
  const filled: Tree = { ...(base as Tree) }
  for (const [key, value] of Object.entries(over as Tree)) {
    filled[key] = isTree(value) && isTree(filled[key]) ? filledUp(filled[key], value) : value
  }
  return filled
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null
}
