import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { useTranslations } from 'use-intl'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { PosterForm } from './PosterForm.tsx'
import { InSight } from '../../kit/browser/forms/InSight.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { useSending } from '../../kit/browser/forms/use-page-form.ts'
import { useMailedToken } from './mailed-token.ts'
import { Happened } from './parts.tsx'

/** Why a link was refused, and its token, which may no longer be in the address. */
export interface RefusedLink {
  refused: RefusedAnswer
  token: string
}

/**
 * Page behind a mailed link, with one button that does what the link is for. Opening the page changes nothing, because mail scanners
 * open links too. The button works without JavaScript.
 */
export function OneTap({
  path,
  texts,
  outcome,
  isDone = false,
  invalid,
  after,
}: {
  path: string
  texts: {
    title: string
    lead: string
    submit: string
    sending: string
    done: string
    doneText: string
    invalidText: string
  }
  outcome: RefusedLink | undefined
  /** Done by the request that rendered this page, so the address does not say it. */
  isDone?: boolean | undefined
  /** Shown below the message that the link is invalid. */
  invalid: ReactNode
  /** Shown after success. */
  after: ReactNode
}) {
  const common = useTranslations('accountForms')
  const refused = outcome?.refused
  const link = useMailedToken(outcome?.token)
  const { token } = link
  const done = isDone || link.done !== ''
  const sending = useSending(path)
  const dead = refused?.code === 'link_invalid'
  return (
    <PosterForm title={done ? texts.done : texts.title} lead={done ? undefined : texts.lead} motif="letter">
      <PageHead title={texts.title} hidden />
      {done && (
        <>
          <Happened>{texts.doneText}</Happened>
          {after}
        </>
      )}
      {!done && refused && !dead && !sending && <Refused refused={refused} tapped />}
      {!done && dead && (
        <>
          {/* no alarm: most who see this have done already what the link is for */}
          <InSight>
            <Notice kind="warn" title={refused?.error}>
              <p>{texts.invalidText}</p>
            </Notice>
          </InSight>
          {invalid}
        </>
      )}
      {!done && !dead && token && (
        <Form method="post" action={path + link.query} {...link.form}>
          <input type="hidden" name="token" value={token} />
          <Button type="submit" variant="primary" size="lg" wide loading={sending} loadingText={texts.sending}>
            {texts.submit}
          </Button>
        </Form>
      )}
      {!done && !dead && !token && (
        <>
          <div className="grid gap-2">
            <h2 className="text-xl">{common('linkAbsent.title')}</h2>
            <p>{common('linkAbsent.text')}</p>
          </div>
          {invalid}
        </>
      )}
    </PosterForm>
  )
}
