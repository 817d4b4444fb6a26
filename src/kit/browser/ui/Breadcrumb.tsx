/** Links to the pages above; the last crumb is this page and not a link. `label` names the landmark. */
export function Breadcrumb({ label, crumbs }: { label: string; crumbs: { label: string; href?: string }[] }) {
  return (
    <nav aria-label={label}>
      <ol className="flex flex-wrap items-center gap-x-2 text-sm">
        {crumbs.map((crumb, index) => (
          <li key={crumb.href ?? crumb.label} className="flex min-h-11 min-w-0 items-center gap-2 sm:min-h-8">
            {index > 0 && (
              <span aria-hidden="true" className="text-ink-soft">
                ~
              </span>
            )}
            {crumb.href ? (
              <a href={crumb.href} className="link inline-flex min-h-11 items-center sm:min-h-8">
                {crumb.label}
              </a>
            ) : (
              <span aria-current="page" className="min-w-0 text-ink-soft [overflow-wrap:anywhere]">
                {crumb.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
