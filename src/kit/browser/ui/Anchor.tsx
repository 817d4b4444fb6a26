import { createContext, createElement, use, type AnchorHTMLAttributes, type ComponentType, type Ref } from 'react'

export type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; ref?: Ref<HTMLAnchorElement> }

const AnchorContext = createContext<ComponentType<AnchorProps> | 'a'>('a')

/**
 * Tells every part how to draw a link. The root gives the router's once, so no part knows a router:
 * `const RouterAnchor = ({ href, ...rest }: AnchorProps) => <Link to={href} {...rest} />`.
 * Declare that component outside any render. Without a provider a link is a plain `<a>`.
 */
export const AnchorProvider = AnchorContext.Provider

/** A link, drawn by whatever `AnchorProvider` says. */
export function Anchor(props: AnchorProps) {
  return createElement(use(AnchorContext), props)
}
