import { createElement, type ReactNode } from 'react'

/** The React elements of a page: tags, attributes and texts, without scripts. */
export interface PageNode {
  tag: string
  attributes: Record<string, string>
  children: (PageNode | string)[]
}

const voidTags = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
const tokens =
  /<!--[\s\S]*?-->|<!doctype[^>]*>|<script\b[\s\S]*?<\/script>|<(\/?)([a-zA-Z][\w-]*)((?:\s+[^\s=>"/]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/gi

/** Parses HTML written by React, which is simpler than any HTML: attributes in double quotes, every tag closed. */
export function pageTree(html: string): PageNode {
  const root: PageNode = { tag: '', attributes: {}, children: [] }
  const open = [root]
  for (const [, closes, tag, attributes, closed, text] of html.matchAll(tokens)) {
    const inside = open.at(-1)!
    if (text) inside.children.push(unescaped(text))
    else if (closes) open.pop()
    else if (tag) {
      const node: PageNode = { tag, attributes: {}, children: [] }
      for (const [, name, value] of attributes!.matchAll(/([^\s=>"/]+)(?:="([^"]*)")?/g))
        node.attributes[name!] = unescaped(value ?? '')
      inside.children.push(node)
      if (!closed && !voidTags.has(tag)) open.push(node)
    }
  }
  const [page] = root.children
  if (open.length !== 1 || typeof page !== 'object') throw new Error('This page is not as React writes it.')
  return page
}

const escapes: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const unescaped = (text: string) => text.replace(/&(#?\w+);/g, (whole, name: string) => escapes[name] ?? whole)

/** New elements for every answer, as components create them. */
export function elementsOf(node: PageNode | string, key = 0): ReactNode {
  if (typeof node === 'string') return node
  return createElement(node.tag, { ...node.attributes, key }, ...node.children.map(elementsOf))
}
