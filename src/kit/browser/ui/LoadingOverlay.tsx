import { Bars } from './Bars.tsx'

/** Covers the page while the whole page has to wait. */
export function LoadingOverlay({ text }: { text: string }) {
  return (
    <output className="fixed inset-0 z-50 grid place-items-center bg-overlay">
      <span className="figure flex items-center gap-3 rounded-6 border-2 border-night bg-lantern px-5 py-3 text-lg text-on-lantern">
        <Bars />
        {text}
      </span>
    </output>
  )
}
