import 'texts:forum,forumTopic,moderation'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { appealDecision } from '../contract.ts'
import { TextDialog, type TextQuestion } from './TextDialog.tsx'

/** Tells silenced and banned members so, and takes their one appeal. */
export default function BarNotice({ isBanned }: { isBanned: boolean }) {
  const t = useTranslations('forumTopic')
  const forum = useTranslations('forum')
  const [question, setQuestion] = useState<TextQuestion | null>(null)
  const [isSent, setSent] = useState(false)
  return (
    <>
      <Notice
        kind="warn"
        title={forum(isBanned ? 'bannedNote' : 'silencedNote')}
        action={
          !isSent && (
            <Button
              onClick={() =>
                setQuestion({
                  title: t('appeal'),
                  label: t('appealLabel'),
                  send: async (text) => {
                    const { refused } = await ask(callByFetch, appealDecision, { as: 'action', body: { text } })
                    if (!refused) setSent(true)
                    return refused
                  },
                })
              }
            >
              {t('appeal')}
            </Button>
          )
        }
      >
        {isSent && <p>{t('appealed')}</p>}
      </Notice>
      <TextDialog question={question} onClose={() => setQuestion(null)} />
    </>
  )
}
