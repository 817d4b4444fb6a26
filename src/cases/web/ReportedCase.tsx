import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { dealPage } from '../../site-map.ts'
import { decideReport, type ReportCase } from '../contract.ts'
import { reportDecisions, type ReportDecision } from '../policy.ts'
import { DecisionArea } from '../../staff/web/DecisionArea.tsx'
import { useDecide } from '../../staff/web/use-decide.ts'
import { LiftButton, SuspendButton, type DecisionNotice } from './Suspensions.tsx'

const tones = { open: 'lantern', dismissed: 'plain', hidden: 'wine' } as const

/** A reported deal or rating with the buttons to decide about it. */
export function ReportedCase({
  found,
  decided,
  onDecided,
  onResult,
}: {
  found: ReportCase
  /** Text of the decision; null: not decided yet. */
  decided: string | null
  onDecided: (text: string) => void
  onResult: (notice: DecisionNotice) => void
}) {
  const t = useTranslations('reports')
  const when = useWhen()
  const [reason, setReason] = useState('')
  const [tapped, setTapped] = useState<ReportDecision | null>(null)
  const [missing, setMissing] = useState('')
  const { decide, isSending } = useDecide()
  const run = async (decision: ReportDecision) => {
    setTapped(decision)
    setMissing('')
    const body = { decision, ...(reason.trim() ? { reason: reason.trim() } : {}) }
    const params = { case_id: found.case_id }
    const { answer, refused, fault } = await decide(decideReport, { params, body, as: 'action' })
    if (refused?.fields?.['reason']) return setMissing(refused.fields['reason'])
    const isUnmailed = decision === 'hide' && answer?.body.mailed === false
    const text = fault ?? (isUnmailed ? t('hideDoneNoMail', { kind: found.kind }) : t(`${decision}Done`))
    if (!refused || refused.code === 'already_decided') onDecided(text)
    onResult({ kind: refused ? 'error' : 'success', text })
  }
  const { rating } = found
  const deal = found.deal_name ?? t('gone')
  const isDeletedRating = found.kind === 'rating' && !rating
  // A dismissed rating that its author has deleted leaves nothing to hide.
  const decisions = found.state === 'dismissed' && isDeletedRating ? [] : reportDecisions[found.state]
  return (
    <li className="grid grid-cols-1 gap-3 rounded-6 border-2 border-rule bg-surface p-4">
      <div className="grid gap-1 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tones[found.state]}>{t(`states.${found.state}`)}</Badge>
          {found.business_suspended && <Badge tone="wine">{t('suspend.is')}</Badge>}
          <span className="text-sm text-ink-soft">
            {t(found.kind)} ·{' '}
            {t('count', { count: found.reports, when: `${when.day(found.last_at)}, ${when.clock(found.last_at)}` })}
          </span>
        </p>
        <h2 className="text-lg leading-tight">
          {isDeletedRating
            ? t('ratingDeleted')
            : rating
              ? t('by', { name: rating.author_name ?? t('deletedUser'), deal })
              : deal}
        </h2>
        {rating && (
          <p>
            {t('stars', { n: rating.stars })}
            {rating.comment && `: ${rating.comment}`}
          </p>
        )}
        <p className="flex flex-wrap gap-x-4 text-sm text-ink-soft">
          <span>{found.business_name}</span>
          {found.deal_id && found.state !== 'hidden' && !found.business_suspended && (
            <a href={dealPage(found.deal_id)} className="link">
              {t('see')}
            </a>
          )}
        </p>
      </div>
      {(found.whys.length > 0 || found.notes.length > 0) && (
        <ul className="list-disc pl-5 text-sm wrap-anywhere">
          {found.whys.map(({ why, count }) => (
            <li key={why}>{t('whyCount', { why: t(`whys.${why}`), count })}</li>
          ))}
          {found.notes.map((note, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- notes have no ids and never change
            <li key={index}>{note}</li>
          ))}
        </ul>
      )}
      <TextField
        label={t('reason')}
        value={reason}
        error={missing || undefined}
        maxLength={500}
        disabled={decided !== null}
        onChange={(event) => setReason(event.target.value)}
      />
      <DecisionArea text={decided}>
        <p className="flex flex-wrap gap-3">
          {decisions.map((decision) => (
            <Button
              key={decision}
              variant={decision === 'dismiss' ? 'secondary' : 'primary'}
              loading={isSending && tapped === decision}
              disabled={isSending}
              onClick={() => void run(decision)}
            >
              {t(decision)}
            </Button>
          ))}
          {found.business_suspended ? (
            <LiftButton business={found} onDone={onResult} />
          ) : (
            <SuspendButton business={found} written={reason} onDone={onResult} />
          )}
        </p>
      </DecisionArea>
    </li>
  )
}
