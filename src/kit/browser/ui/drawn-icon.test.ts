import { createElement, type ComponentType, type SVGProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { __iconData as checkData, default as Check } from 'lucide-react/icons/check'
import { __iconData as storeData, default as Store } from 'lucide-react/icons/store'
import { expect, it } from 'vitest'
import drawnIcon, { type IconData } from './drawn-icon.ts'

type Icon = ComponentType<SVGProps<SVGSVGElement>>
const attributesOf = (html: string) =>
  html
    .replace(/ xmlns="[^"]*"/, '')
    .replace(/lucide[\w -]*?(?=size-|")/, '')
    .replace(' class=""', '')
    .split(/(?=<)|>/)
    .map((tag) => tag.split(/ (?=[\w-]+=")/).toSorted())

it.each([
  ['Check', checkData, Check, {}],
  ['Check', checkData, Check, { className: 'size-5', strokeWidth: 3 }],
  ['Store', storeData, Store, { 'aria-hidden': true, className: 'size-5' }],
  ['Store', storeData, Store, { 'aria-label': 'Open' }],
] as unknown as [string, IconData, Icon, SVGProps<SVGSVGElement>][])(
  'an icon (%s) is drawn as its library draws it, but for the classes that nothing uses',
  (_name, data, library, props) => {
    const ours = renderToStaticMarkup(createElement(drawnIcon(data), props))
    const theirs = renderToStaticMarkup(createElement(library, props))
    expect(attributesOf(ours)).toEqual(attributesOf(theirs))
  },
)
