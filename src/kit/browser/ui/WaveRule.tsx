/**
 * The festival's wave: a line like a sound wave and the bend of the Rhine, in the text colour, 40 px high and as wide as its
 * container. It is a CSS mask, so a page loads its 2 kB once.
 */
export function WaveRule({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`wave-line pointer-events-none block h-10 w-full ${className}`} />
}
