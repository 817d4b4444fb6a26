import 'texts:forms,newsletter'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { subscribeNewsletter } from '../contract.ts'

/** Subscribes the address of the footer's form without leaving the page, and says what became of it. `form`: a new one each time. */
export default function SubscribeHere({ form }: { form: FormData }) {
  const t = useTranslations('newsletter')
  const forms = useTranslations('forms')
  const language = useLocale()
  const [said, setSaid] = useState('')
  const subscribe = useEffectEvent(async (email: string) => {
    const { refused } = await ask(callByFetch, subscribeNewsletter, { body: { email, language } })
    setSaid(
      refused
        ? refused.fields?.['email'] || refused.error || forms(refused.status === 0 ? 'offlineTap' : 'failedTap')
        : `${t('sent')}. ${t('sentText')}`,
    )
  })
  useEffect(() => void subscribe(String(form.get('newsletter')).trim()), [form])
  return <output className="text-sm font-semibold">{said}</output>
}
