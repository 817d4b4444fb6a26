import type { Ref, SelectHTMLAttributes } from 'react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { controlClass, Field, fieldAndControl, type FieldTexts } from './Field.tsx'

/** The browser's `<select>` (best on phones) in our box. Children: `<option>`s. */
export function Select(props: FieldTexts & SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }) {
  const { field, control } = fieldAndControl(props)
  return (
    <Field {...field}>
      {(attributes) => (
        <span className="relative flex items-center">
          <select {...control} {...attributes} className={`${controlClass} appearance-none pr-10 text-ellipsis`} />
          <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-3 size-5" />
        </span>
      )}
    </Field>
  )
}
