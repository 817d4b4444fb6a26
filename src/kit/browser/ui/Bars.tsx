/** The loading sign: four sound bars. Still with reduced motion, silent for screen readers. */
export function Bars() {
  return (
    <span aria-hidden="true" className="inline-flex h-[1em] items-center gap-[3px]">
      <span className="h-3/5 w-[3px] animate-bar bg-current" />
      <span className="h-full w-[3px] animate-bar bg-current [animation-delay:-650ms]" />
      <span className="h-4/5 w-[3px] animate-bar bg-current [animation-delay:-300ms]" />
      <span className="h-2/5 w-[3px] animate-bar bg-current [animation-delay:-800ms]" />
    </span>
  )
}
