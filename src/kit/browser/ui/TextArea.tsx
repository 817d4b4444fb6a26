import type { Ref, TextareaHTMLAttributes } from 'react'
import { Field, controlClass, type FieldTexts } from './Field.tsx'

/** Several lines of text. It grows with its text, or has a handle in browsers that cannot do this. */
export function TextArea({
  label,
  help,
  error,
  hint,
  labelHidden,
  id,
  className,
  ...area
}: FieldTexts & TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return (
    <Field {...{ label, help, error, hint, labelHidden, id, className }}>
      {(attributes) => (
        <textarea
          rows={4}
          {...area}
          {...attributes}
          className={`${controlClass} max-h-[60vh] min-h-32! resize-y leading-normal [field-sizing:content]`}
        />
      )}
    </Field>
  )
}
