import { createElement, type ComponentType, type SVGProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import drawnIcon, { type IconData } from './drawn-icon.ts'

type Icon = ComponentType<SVGProps<SVGSVGElement>>
const attributesOf = (html: string) =>
  html
    .replace(/ xmlns="[^"]*"/, '')
    .replace(/lucide[\w -]*?(?=size-|")/, '')
    .replace(' class=""', '')
    .split(/(?=<)|>/)
    .map((tag) => tag.split(/ (?=[\w-]+=")/).toSorted())

/** Its types do not tell of the data. */
const inLibrary = (name: string) =>
  vi.importActual<{ __iconData: IconData; default: Icon }>(`lucide-react/icons/${name}`)

it.each<[string, SVGProps<SVGSVGElement>]>([
  ['check', {}],
  ['check', { className: 'size-5', strokeWidth: 3 }],
  ['store', { 'aria-hidden': true, className: 'size-5' }],
  ['store', { 'aria-label': 'Open' }],
])('an icon (%s) is drawn as its library draws it, but for the classes that nothing uses', async (name, props) => {
  const { __iconData: data, default: theirs } = await inLibrary(name)
  const drawn = (icon: Icon) => attributesOf(renderToStaticMarkup(createElement(icon, props)))
  expect(drawn(drawnIcon(data))).toEqual(drawn(theirs))
})
