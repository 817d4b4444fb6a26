import type { ReactNode } from 'react'

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="link inline-flex min-h-11 items-center">
      {children}
    </a>
  )
}
