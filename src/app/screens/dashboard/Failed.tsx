import { useTranslations } from 'use-intl'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import type { AnswerState } from '../../../kit/browser/use-answer.ts'

/** Why a part could not be loaded: the server's sentence, else `text`. Nothing if it was loaded. */
export function Failed({
  answer: { refused, again },
  text,
}: {
  answer: Pick<AnswerState<unknown>, 'refused' | 'again'>
  text: string
}) {
  const t = useTranslations('dashboard')
  return (
    refused && (
      <Notice kind="warn" action={<Button onClick={again}>{t('again')}</Button>}>
        {refused.error || text}
      </Notice>
    )
  )
}
