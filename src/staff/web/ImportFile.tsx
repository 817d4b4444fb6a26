import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useKnownSession } from '../../accounts/web/session.ts'
import { useAskOnce } from '../../kit/browser/forms/use-ask-once.ts'
import type { CallResult } from '../../kit/browser/ask.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Checkbox } from '../../kit/browser/ui/Checkbox.tsx'
import { controlClass } from '../../kit/browser/ui/Field.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { page } from '../../site-map.ts'
import { listLog, type ListReport } from '../contract.ts'
import { ReachText, thingsOf } from './ReachText.tsx'

/** The report of any import; `far` only of lists of places. */
export type ImportAnswer = Omit<ListReport, 'far'> & Partial<Pick<ListReport, 'far'>>

export interface ImportBody {
  source: string
  dry_run?: true
  confirmed?: number
  far?: true
}

/** Sends the file to the import's endpoint with `askOnce`, which adds the `Idempotency-Key`. */
export type SendFile<Report = ImportAnswer> = (
  askOnce: ReturnType<typeof useAskOnce>,
  file: File,
  body: ImportBody,
) => Promise<{ report: Report; refused: null } | { report: null; refused: Refused }>
type Refused = NonNullable<CallResult<never, unknown>['refused']>

/** Shows what a file would change, then imports it, and says how to undo that. */
export function ImportFile<Report extends ImportAnswer = ImportAnswer>({
  action,
  accept,
  formats,
  send,
  questions,
  onFile,
  onDone,
}: {
  /** Of the log, to find the name of the last import. */
  action: string
  /** File endings, for the file chooser. */
  accept: string
  /** As the label names them, such as "Excel, CSV". */
  formats: string
  send: SendFile<Report>
  /** What a person has to say about the file. `isOpen`: the file cannot be imported yet. `onAnswer`: it must be checked again. */
  questions?: (report: Report, onAnswer: () => void) => { isOpen: boolean; shown: ReactNode } | null
  /** Another file was chosen. */
  onFile?: () => void
  onDone?: () => void
}) {
  const t = useTranslations('importFile')
  const forms = useTranslations('forms')
  const askOnce = useAskOnce()
  const [file, setFile] = useState<File | null>(null)
  const [source, setSource] = useState('')
  const [isFarMeant, setFarMeant] = useState(false)
  const [report, setReport] = useState<(Report & { isDry: boolean }) | null>(null)
  const [isStale, setStale] = useState(false)
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  const session = useKnownSession()
  const isIn = session !== 'guest' && session !== 'unknown'
  const last = useAnswer(listLog, isIn ? { query: { action, limit: 1 }, as: 'background' } : null)
  const lastSource = String(last.body?.[0]?.after?.['source'] ?? '')
  const asked = (report?.isDry && questions?.(report, () => setStale(true))) || null
  const isReady = report?.isDry === true && !isStale && !asked?.isOpen && report.counts.new + report.counts.changed > 0
  // under another name all entries are new; without a name the file's counts, which differs for each download
  const isOther =
    isReady && lastSource && lastSource !== report.source && report.counts.changed + report.counts.same === 0
  function choose(change: () => void) {
    change()
    setReport(null)
    setFarMeant(false)
    setFault('')
    setStale(false)
  }
  async function run(isDry: boolean) {
    if (!file) return
    setSending(true)
    setFault('')
    const confirmed = report ? thingsOf(report.reach) : 0
    const answer = await send(askOnce, file, {
      source,
      ...(isDry ? { dry_run: true } : { confirmed }),
      ...(isFarMeant ? { far: true } : {}),
    })
    setSending(false)
    if (answer.refused)
      return setFault(answer.refused.error || (answer.refused.status === 0 ? forms('offlineTap') : t('failed')))
    setReport({ ...answer.report, isDry })
    setStale(false)
    if (!isDry) onDone?.()
  }
  return (
    <div className="grid max-w-3xl gap-4">
      <label className="grid gap-1.5">
        <span className="text-sm font-semibold">{t('file', { formats })}</span>
        <input
          type="file"
          accept={accept}
          className={controlClass}
          onChange={({ target }) => {
            choose(() => setFile(target.files?.[0] ?? null))
            onFile?.()
          }}
        />
      </label>
      <TextField
        label={t('source')}
        help={t('sourceHelp')}
        maxLength={40}
        value={source}
        onChange={({ target }) => choose(() => setSource(target.value))}
      />
      <p className="flex flex-wrap gap-3">
        <Button disabled={!file} loading={isSending && !isReady} onClick={() => void run(true)}>
          {t('check')}
        </Button>
      </p>
      {report && !isStale && !(asked?.isOpen && report.counts.read === 0) && <Result report={report} />}
      {asked?.shown}
      {isStale && (
        <p>
          <Button variant="primary" loading={isSending} onClick={() => void run(true)}>
            {t('checkAgain')}
          </Button>
        </p>
      )}
      {isOther && (
        <Notice
          kind="warn"
          action={
            <Button onClick={() => choose(() => setSource(lastSource))}>{t('asLast', { last: lastSource })}</Button>
          }
        >
          {t('otherName', { last: lastSource, source: report.source })}
        </Notice>
      )}
      {isReady && report.far && (
        <Notice kind="warn" title={t('farQuestion', report.far)}>
          <Checkbox label={t('farYes')} checked={isFarMeant} onChange={({ target }) => setFarMeant(target.checked)} />
        </Notice>
      )}
      {fault && <Notice kind="error" title={fault} />}
      {isReady && (
        <p>
          <Button
            variant="primary"
            disabled={Boolean(report.far) && !isFarMeant}
            loading={isSending}
            onClick={() => void run(false)}
          >
            {t('take')}
          </Button>
        </p>
      )}
      {report && !isStale && <Remarks remarks={report.remarks} />}
    </div>
  )
}

function Result({ report }: { report: ImportAnswer & { isDry: boolean } }) {
  const t = useTranslations('importFile')
  const { counts, reach, isDry } = report
  const isEmpty = counts.new + counts.changed === 0
  const title = !isDry ? 'hasChanged' : !isEmpty ? 'wouldChange' : counts.same > 0 ? 'nothingNew' : 'nothingUsable'
  return (
    <Notice
      kind={isDry ? (title === 'nothingUsable' ? 'warn' : 'info') : 'success'}
      title={t(title)}
      action={!isDry && report.entry_id !== null && <ButtonLink href={page.adminLog}>{t('toLog')}</ButtonLink>}
    >
      <p>{t('counts', counts)}</p>
      {isDry && thingsOf(reach) > 0 && <ReachText reach={reach} />}
      {!isDry && report.entry_id !== null && <p>{t('howToUndo')}</p>}
    </Notice>
  )
}

/** The remarks of an import: first what was not understood, then the rest. */
export function Remarks({ remarks }: { remarks: ImportAnswer['remarks'] }) {
  const t = useTranslations('importFile')
  const parts = [
    { key: 'notUnderstood', of: remarks.filter(({ kind }) => kind === 'refused') },
    { key: 'otherRemarks', of: remarks.filter(({ kind }) => kind !== 'refused') },
  ] as const
  return parts
    .filter(({ of }) => of.length > 0)
    .map(({ key, of }) => (
      <section key={key} className="grid gap-1.5" aria-label={t(key)}>
        <h2 className="text-lg font-semibold">{t(key)}</h2>
        <ul className="grid gap-1 text-sm">
          {of.map((remark) => (
            <li key={`${remark.place} ${remark.kind} ${remark.text}`} className="[overflow-wrap:anywhere]">
              <span className="font-semibold">{t(`remark.${remark.kind}`)}:</span>{' '}
              {[remark.title, remark.place].filter(Boolean).join(', ')}: {remark.text}
            </li>
          ))}
        </ul>
      </section>
    ))
}
