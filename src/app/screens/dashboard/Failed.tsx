import { useTranslations } from 'use-intl'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import type { AnswerState } from '../../../kit/browser/use-answer.ts'

/** Why a part could not be loaded: the server's sentence, else `text`; null: it was loaded. */
export function faultOf({ refused }: Pick<AnswerState<unknown>, 'refused'>, text: string): string | null {
  return refused && (refused.error || text)
}

export function Failed({ text, again }: { text: string; again: () => void }) {
  const t = useTranslations('dashboard')
  return (
    <Notice kind="warn" action={<Button onClick={again}>{t('again')}</Button>}>
      {text}
    </Notice>
  )
}
