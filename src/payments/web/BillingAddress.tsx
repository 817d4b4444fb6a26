import { useEffect, useState, type FormEvent } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { typedIn } from '../../kit/browser/forms/typed.ts'
import { useFaults } from '../../kit/browser/forms/use-faults.ts'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import type * as contract from '../contract.ts'
import { changeBillingAddress, getBillingAddress } from '../contract.ts'

/** Form for the address on future invoices. */
export function BillingAddress() {
  const t = useTranslations('invoices')
  const { body, refused, again } = useAnswer(getBillingAddress, { as: 'background' })
  const { hash } = useLocation()
  const isAsked = hash === '#billing' && body !== undefined
  useEffect(() => {
    // The form did not exist yet when the browser looked for #billing.
    if (isAsked) document.getElementById('billing')?.scrollIntoView()
  }, [isAsked])
  // The list of invoices above already says that the session is over.
  if (refused?.status === 401) return null
  return (
    <section id="billing" aria-labelledby="billing-title" className="grid scroll-mt-24 gap-4">
      <div className="grid gap-1">
        <h2 id="billing-title" className="text-xl">
          {t('billing.title')}
        </h2>
        <p className="max-w-[60ch] text-ink-soft">{t('billing.text')}</p>
      </div>
      {refused && <NotLoaded refused={refused} again={again} />}
      {body && <AddressForm address={body} />}
    </section>
  )
}

function AddressForm({ address }: { address: contract.BillingAddress }) {
  const t = useTranslations('invoices')
  const { send, isSending } = useSend()
  const [outcome, setOutcome] = useState<Parameters<typeof useFaults>[0]>(null)
  /** The stored address, e.g. the UID with its dots. `times` resets the fields after each save. */
  const [saved, setSaved] = useState({ address, times: 0 })
  const { form, faults } = useFaults(outcome, isSending)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = typedIn(new FormData(event.currentTarget), 'legal_name', 'address', 'uid')
    const { answer, refused } = await send(changeBillingAddress, { as: 'action', body })
    setOutcome(refused && { refused })
    if (answer) setSaved(({ times }) => ({ address: answer.body, times: times + 1 }))
  }
  const { legal_name, address: lines, uid } = saved.address
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid max-w-form gap-5">
      {outcome && !isSending && <Refused refused={outcome.refused} />}
      {saved.times > 0 && !outcome && !isSending && <Notice kind="success">{t('billing.saved')}</Notice>}
      <div key={saved.times} className="grid gap-5">
        <TextField
          label={t('billing.name')}
          hint={t('billing.optional')}
          help={t('billing.nameHelp')}
          name="legal_name"
          autoComplete="organization"
          maxLength={120}
          defaultValue={legal_name ?? ''}
          error={faults['legal_name']}
        />
        <TextArea
          label={t('billing.address')}
          hint={t('billing.optional')}
          help={t('billing.addressHelp')}
          name="address"
          rows={3}
          maxLength={200}
          defaultValue={lines ?? ''}
          error={faults['address']}
        />
        <TextField
          label={t('billing.uid')}
          hint={t('billing.optional')}
          help={t('billing.uidHelp')}
          name="uid"
          autoComplete="off"
          spellCheck={false}
          maxLength={30}
          defaultValue={uid ?? ''}
          error={faults['uid']}
        />
      </div>
      <Button type="submit" loading={isSending} loadingText={t('billing.saving')} className="justify-self-start">
        {t('billing.save')}
      </Button>
    </form>
  )
}
