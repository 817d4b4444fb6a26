/** The mark: the river's bend at Basel as three lanes, also an r and strings. */
function LogoMark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="4"
      className={`shrink-0 ${className}`}
    >
      <path d="M3 31V17A14 14 0 0 1 17 3q3.500 0 7 2t8 2" />
      <path d="M10.500 31V17.500a7 7 0 0 1 7-7q3.500 0 7 2t7.500 2" />
      <path className="text-action" d="M18 31V18.500q0-.5 .5-.5 3 0 6 2t7.500 2" />
    </svg>
  )
}

/** Mark and wordmark; fits the screen even with large type. The name is not translated. */
export function Logo({ className = 'text-[min(var(--text-xl),5vw+0.6rem)]' }: { className?: string }) {
  return (
    <span
      className={`inline-flex items-center gap-2.5 align-top font-display font-extrabold leading-none tracking-[-0.03em] ${className}`}
    >
      <LogoMark className="size-[1.25em]" />
      Rheinklang
    </span>
  )
}
