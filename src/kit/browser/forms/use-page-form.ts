import { useNavigation } from 'react-router'
import type { RefusedAnswer } from '../../shared/refusal.ts'
import { useFaults } from './use-faults.ts'

/** Whether the form with this `action` is being sent; a page may have several. */
export function useSending(path: string): boolean {
  const { state, formAction } = useNavigation()
  return state !== 'idle' && formAction?.split(/[?#]/)[0] === path
}

/** A form for the action of the page at `path`: props of `<Form>`, faults by field, and whether it is being sent. */
export function usePageForm(path: string, outcome: { refused: RefusedAnswer } | null | undefined) {
  const sending = useSending(path)
  const { form: ref, faults, check } = useFaults(outcome, sending)
  const form = {
    ref,
    method: 'post',
    action: path,
    noValidate: true,
    onSubmit: check,
    className: 'grid grid-cols-1 gap-5',
  } as const
  return { form, faults, sending }
}
