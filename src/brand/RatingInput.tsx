import { useId, type Ref } from 'react'
import { FieldError } from '../kit/browser/ui/Field.tsx'

/** Choose 1–5 stars: five radios that work with arrow keys and without JavaScript. `labels[0]` names one star. */
export function RatingInput({
  legend,
  name,
  labels,
  value,
  onChange,
  error,
  first,
}: {
  legend: string
  name: string
  labels: [string, string, string, string, string]
  value?: number
  onChange?: (stars: number) => void
  error?: string | undefined
  /** The first star, to focus it. */
  first?: Ref<HTMLInputElement>
}) {
  const errorId = useId()
  return (
    // a single radio cannot be invalid, its group can
    <fieldset role="radiogroup" aria-invalid={error ? true : undefined} aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 text-sm font-semibold">{legend}</legend>
      <span className="flex">
        {labels.map((label, index) => (
          <label
            key={label}
            className="relative flex size-11 items-center justify-center rounded-6 text-lantern-text has-focus-visible:outline-3 has-focus-visible:outline-focus has-[~label_:checked]:[&_path]:fill-lantern has-checked:[&_path]:fill-lantern"
          >
            <input
              ref={index === 0 ? first : undefined}
              type="radio"
              name={name}
              value={index + 1}
              aria-label={label}
              checked={value === undefined ? undefined : value === index + 1}
              onChange={() => onChange?.(index + 1)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <svg
              viewBox="0 0 16 16"
              aria-hidden="true"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.3"
              className="size-7"
            >
              <path d="m8 .8 2.1 4.6 5 .6-3.7 3.4 1 4.9L8 11.8l-4.4 2.5 1-4.9L.9 6l5-.6z" />
            </svg>
          </label>
        ))}
      </span>
      <FieldError id={errorId}>{error}</FieldError>
    </fieldset>
  )
}
