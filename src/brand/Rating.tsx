import { StarShape } from './Badge.tsx'

/** One star and the figure. `label`: in words ("4.6 of 5 from 38 ratings"); `value` and `count`: as shown ("4.6", "38"). */
export function Rating({ value, count, label }: { value: string; count?: string; label: string }) {
  return (
    <span className="inline-flex text-sm">
      <span className="sr-only">{label}</span>
      <span aria-hidden="true" className="inline-flex items-center gap-1">
        <StarShape className="size-4 fill-lantern stroke-lantern-text" />
        <span className="font-semibold">{value}</span>
        {count && <span className="text-ink-soft">{`(${count})`}</span>}
      </span>
    </span>
  )
}
