import 'texts:forms,newsletter'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { subscribeNewsletter } from '../contract.ts'

/** Subscribes the address of the footer's form without leaving the page, and says what became of it. `form`: a new one each time. */
export default function SubscribeHere({ form }: { form: FormData }) {
  const t = useTranslations('newsletter')
  const forms = useTranslations('forms')
  const language = useLocale()
  const [outcome, setOutcome] = useState<{ refused: RefusedAnswer | null } | null>(null)
  const subscribe = useEffectEvent((email: string) =>
    ask(callByFetch, subscribeNewsletter, { body: { email, language } }),
  )
  useEffect(() => void subscribe(String(form.get('newsletter')).trim()).then(setOutcome), [form])
  const refused = outcome?.refused
  return (
    <output className="text-sm font-semibold">
      {refused
        ? refused.fields?.['email'] || refused.error || forms(refused.status === 0 ? 'offlineTap' : 'failedTap')
        : outcome && `${t('sent')}. ${t('sentText')}`}
    </output>
  )
}
