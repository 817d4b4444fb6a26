/** A choice in a row: a label with its input inside, or a link. */
export const chipClass =
  'relative inline-flex min-h-11 shrink-0 items-center gap-2 rounded-6 border-2 border-rule bg-surface px-3 font-semibold text-ink no-underline transition-colors hover:border-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus'
