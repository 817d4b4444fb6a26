import type { Element, Piece } from '../shared/rich-text.ts'
import { isObject, list, type Read } from './reading.ts'

const elements: Record<Element, true> = {
  p: true,
  heading: true,
  em: true,
  strong: true,
  code: true,
  pre: true,
  quote: true,
  ul: true,
  ol: true,
  li: true,
  a: true,
  mention: true,
  br: true,
  hr: true,
}

/** Known elements only. Links are checked where they are drawn. */
const piece: Read<Piece> = (value) => {
  if (typeof value === 'string') return value
  if (!isObject(value) || !Object.hasOwn(elements, String(value['e']))) return undefined
  return {
    e: value['e'] as Element,
    ...(Array.isArray(value['c']) ? { c: pieces(value['c'])! } : {}),
    ...(typeof value['href'] === 'string' ? { href: value['href'] } : {}),
    ...(typeof value['start'] === 'number' ? { start: value['start'] } : {}),
  }
}
export const pieces = list(piece)
