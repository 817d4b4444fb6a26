import type { Ref, TextareaHTMLAttributes } from 'react'
import { controlClass, Field, fieldAndControl, type FieldTexts } from './Field.tsx'

/** Several lines of text. It grows with its text, or has a handle in browsers that cannot do this. */
export function TextArea(
  props: FieldTexts & TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> },
) {
  const { field, control } = fieldAndControl(props)
  return (
    <Field {...field}>
      {(attributes) => (
        <textarea
          rows={4}
          {...control}
          {...attributes}
          className={`${controlClass} max-h-[60vh] min-h-32! resize-y leading-normal [field-sizing:content]`}
        />
      )}
    </Field>
  )
}
