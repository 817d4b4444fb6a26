import { useState } from 'react'
import CircleHelp from 'lucide-react/icons/circle-question-mark'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { page } from '../../site-map.ts'

/** "Need Help": answers to common problems of the signup, and the contact form. */
export function SignupSupport({ demoPayments }: { demoPayments: boolean }) {
  const t = useTranslations('businessSignup')
  const common = useTranslations('accountForms')
  const [open, setOpen] = useState(false)
  const alive = useHydrated()
  const answers = ['a1', demoPayments ? 'a2Demo' : 'a2', 'a3', 'a4'] as const
  const look = <CircleHelp aria-hidden="true" className="size-5" />
  return (
    <div className="-mb-1 flex justify-end">
      {alive ? (
        <Button onClick={() => setOpen(true)} icon={look} aria-haspopup="dialog">
          {t('needHelp')}
        </Button>
      ) : (
        <ButtonLink href={page.help} icon={look}>
          {t('needHelp')}
        </ButtonLink>
      )}
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('support.title')}
        closeLabel={common('close')}
        actions={
          <>
            <ButtonLink href={`${page.contact}?topic=merchant`} variant="primary">
              {t('support.contact')}
            </ButtonLink>
            <ButtonLink href={page.help}>{t('support.help')}</ButtonLink>
          </>
        }
      >
        <dl className="grid gap-4">
          {(['q1', 'q2', 'q3', 'q4'] as const).map((question, at) => (
            <div key={question} className="grid gap-0.5">
              <dt className="font-semibold">{t(`support.${question}`)}</dt>
              <dd className="text-ink-soft">{t(`support.${answers[at]!}`)}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </div>
  )
}
