/**
 * The signature: one line that is the sound wave and the river's bend, in the colour of the text. A mask, so a page
 * carries its 2 kB once; 40 px high, as wide as its place, the large swell in the middle.
 */
export function WaveRule({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`wave-line pointer-events-none block h-10 w-full ${className}`} />
}
