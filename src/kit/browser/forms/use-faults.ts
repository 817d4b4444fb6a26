import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import type { RefusedAnswer } from '../../shared/refusal.ts'
import { focusFirst } from './focus-first.ts'

/**
 * What is wrong with a form, by field: what the browser sees at once (nothing is sent then) and what the server said.
 * The first wrong field gets the focus. `outcome` is a new object for each answer. `values` of a draft: what was said of a value
 * is dropped once it is another one.
 */
export function useFaults(
  outcome: { refused: RefusedAnswer } | null | undefined,
  sending: boolean,
  values: Record<string, string> = {},
) {
  const t = useTranslations('forms')
  const form = useRef<HTMLFormElement>(null)
  const [seen, setSeen] = useState<Record<string, string>>({})
  const said = outcome?.refused.fields
  const [sent, setSent] = useState({ outcome, values })
  if (sent.outcome !== outcome) setSent({ outcome, values })
  const standing = Object.entries(said ?? {}).filter(([name]) => values[name] === sent.values[name])
  const faults: Record<string, string> = sending ? {} : { ...Object.fromEntries(standing), ...seen }

  useEffect(() => {
    focusFirst(form.current, said)
  }, [outcome, said])

  const check = useCallback(
    (event: FormEvent<HTMLFormElement>): boolean => {
      const found: Record<string, string> = {}
      let first: HTMLInputElement | undefined
      for (const control of event.currentTarget.elements as Iterable<HTMLInputElement>) {
        const { name, type, validity } = control
        if (!name || !validity || validity.valid || found[name]) continue
        first ??= control
        // the only box that must be ticked is that of the terms
        found[name] = validity.typeMismatch ? t('emailWrong') : t(type === 'checkbox' ? 'terms' : 'required')
      }
      setSeen(found)
      if (!first) return true
      event.preventDefault()
      first.focus()
      return false
    },
    [t],
  )
  return { form, faults, check, setSeen }
}
