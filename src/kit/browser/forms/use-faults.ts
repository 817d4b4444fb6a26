import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import type { RefusedAnswer } from '../../shared/refusal.ts'
import { focusFirst } from './focus-first.ts'

/**
 * The faults of a form by field: those that the browser finds (`check`; the form is not sent then) and those that the server
 * answered. The first field with a fault gets the focus.
 * @param outcome a new object for each answer
 * @param values of a draft: a fault from the server disappears when its field has another value
 */
export function useFaults(
  outcome: { refused: RefusedAnswer } | null | undefined,
  sending: boolean,
  values: Record<string, string> = {},
) {
  const t = useTranslations('forms')
  const form = useRef<HTMLFormElement>(null)
  const [fromBrowser, setFromBrowser] = useState<Record<string, string>>({})
  const fromServer = outcome?.refused.fields
  const [sent, setSent] = useState({ outcome, values })
  if (sent.outcome !== outcome) setSent({ outcome, values })
  const standing = Object.entries(fromServer ?? {}).filter(([name]) => values[name] === sent.values[name])
  const faults: Record<string, string> = sending ? {} : { ...Object.fromEntries(standing), ...fromBrowser }

  useEffect(() => {
    focusFirst(form.current, fromServer)
  }, [outcome, fromServer])

  const check = useCallback(
    (event: FormEvent<HTMLFormElement>): boolean => {
      const found: Record<string, string> = {}
      let first: HTMLInputElement | undefined
      for (const control of event.currentTarget.elements as Iterable<HTMLInputElement>) {
        const { name, type, validity } = control
        if (!name || !validity || validity.valid || found[name]) continue
        first ??= control
        // the only required checkbox is that of the terms
        found[name] = validity.typeMismatch ? t('emailWrong') : t(type === 'checkbox' ? 'terms' : 'required')
      }
      setFromBrowser(found)
      if (!first) return true
      event.preventDefault()
      first.focus()
      return false
    },
    [t],
  )
  return { form, faults, check }
}
