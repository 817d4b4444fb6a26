import type { Ref, SelectHTMLAttributes } from 'react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { Field, controlClass, type FieldTexts } from './Field.tsx'

/** The browser's `<select>` (best on phones) in our box. Children: `<option>`s. */
export function Select({
  label,
  help,
  error,
  hint,
  labelHidden,
  id,
  className,
  children,
  ...select
}: FieldTexts & SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }) {
  return (
    <Field {...{ label, help, error, hint, labelHidden, id, className }}>
      {(attributes) => (
        <span className="relative flex items-center">
          <select {...select} {...attributes} className={`${controlClass} appearance-none pr-10 text-ellipsis`}>
            {children}
          </select>
          <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-3 size-5" />
        </span>
      )}
    </Field>
  )
}
