import { useNavigation } from 'react-router'
import type { RefusedAnswer } from '../../shared/refusal.ts'
import { useFaults } from './use-faults.ts'

/** True while this very form is on its way; a page may have several, told apart by their `action`. */
export function useSending(path: string): boolean {
  const { state, formAction } = useNavigation()
  return state !== 'idle' && formAction?.split(/[?#]/)[0] === path
}

/**
 * A form that the action of the page at `path` answers: what `<Form>` takes, what is wrong with it by field, and whether it is
 * on its way.
 */
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
