import { createElement, type SVGProps } from 'react'

/** An icon as its library describes it: `size` is that of its view box. */
export interface IconData {
  size?: number
  node: [tag: string, attributes: Record<string, string>][]
}

/**
 * Draws an icon of `lucide-react` in place of the library's own builder, which serves many settings that nothing here asks for: 1 kB of
 * every page, and most of what an icon costs to draw. Hidden from screen readers unless it has a label. The build puts it in
 * (`vite.config.ts`).
 */
export default function drawnIcon({ size = 24, node }: IconData) {
  return (props: SVGProps<SVGSVGElement>) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: `0 0 ${size} ${size}`,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': props['aria-label'] ? undefined : true,
        ...props,
      },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
}
