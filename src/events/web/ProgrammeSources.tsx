import 'texts:adminEvents,forms,importFile,staff'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { useSameKey } from '../../kit/browser/forms/use-same-key.ts'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import { Remarks } from '../../staff/web/ImportFile.tsx'
import {
  applyProgrammeSource,
  deleteProgrammeSource,
  listProgrammeSources,
  putProgrammeSource,
  readProgrammeSource,
} from '../contract.ts'
import { leastMinutes, mostMinutes, usualMinutes } from '../limits.ts'

type Source = AnswerBody<typeof listProgrammeSources>[number]
type Report = AnswerBody<typeof readProgrammeSource>['report']
/** What the last request of a source came to. */
type Done = 'applied' | 'same' | 'other' | null

const all = { query: { limit: 100 }, as: 'background' } as const

/** Programmes that are read from an address: their state, what waits for a yes, and a form for another one. */
export function ProgrammeSources({ onChanged }: { onChanged: () => void }) {
  const t = useTranslations('adminEvents.sources')
  const { body: sources, again } = useAnswer(listProgrammeSources, all)
  const [stopped, setStopped] = useState('')
  /** The report of the last read, and its source. */
  const [last, setLast] = useState<{ of: string; report: Report }>({ of: '', report: null })
  return (
    <details
      className="rounded-6 border-2 border-rule bg-surface p-3"
      open={stopped !== '' || (sources?.length ?? 0) > 0}
    >
      <summary className="cursor-pointer py-2.5 font-semibold">{t('title')}</summary>
      <div className="grid gap-4 pt-3">
        {stopped && <Notice kind="success" title={t('stopped', { source: stopped })} />}
        {sources?.length === 0 && <p>{t('none')}</p>}
        <ul className="grid gap-4">
          {sources?.map((source) => (
            <SourceItem
              key={source.source}
              source={source}
              report={last.of === source.source ? last.report : null}
              onReport={(report) => setLast({ of: source.source, report })}
              onChanged={() => {
                again()
                onChanged()
              }}
              onStopped={() => {
                setStopped(source.source)
                again()
              }}
            />
          ))}
        </ul>
        <NewSource
          onRead={(of, report) => {
            setLast({ of, report })
            again()
          }}
        />
      </div>
    </details>
  )
}

function SourceItem({
  source,
  report,
  onReport,
  onChanged,
  onStopped,
}: {
  source: Source
  report: Report
  onReport: (report: Report) => void
  onChanged: () => void
  onStopped: () => void
}) {
  const t = useTranslations('adminEvents.sources')
  const when = useWhen()
  const { send, isSending, refused } = useSend()
  const same = useSameKey()
  const [done, setDone] = useState<Done>(null)
  const { source: name, waiting, counts } = source
  const params = { source: name }
  const isFirst = waiting !== null && source.good_at === null
  async function read() {
    const { answer } = await send(readProgrammeSource, { params, as: 'action' })
    if (answer) {
      setDone(answer.body.applied ? 'applied' : answer.body.source.waiting ? null : 'same')
      onReport(answer.body.report)
    }
    // a failed read has stored its problem
    onChanged()
  }
  async function apply(hash: string) {
    const request = { params, body: { hash } }
    const { answer } = await send(applyProgrammeSource, {
      ...request,
      as: 'action',
      idempotencyKey: same.keyOf(request),
    })
    if (answer) {
      same.answered()
      setDone(answer.body.applied ? 'applied' : answer.body.source.waiting ? 'other' : 'same')
      onReport(answer.body.report)
    }
    onChanged()
  }
  async function stop() {
    const { answer } = await send(deleteProgrammeSource, { params, as: 'action', idempotencyKey: same.keyOf(params) })
    if (answer) onStopped()
  }
  return (
    <li className="grid gap-2 border-t-2 border-hair pt-3">
      <p className="font-semibold [overflow-wrap:anywhere]">{name}</p>
      <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">
        {source.address}, {t('interval', { n: source.every_minutes })}
      </p>
      {!source.problem && !isFirst && (
        <p className="text-sm">
          {source.read_at === null || counts === null
            ? t('neverRead')
            : t('lastRead', {
                time: when.time(source.read_at),
                ...counts,
                what: waiting || counts.new + counts.changed + counts.removed === 0 ? 'nothing' : 'changed',
              })}
        </p>
      )}
      {source.problem && (
        <Notice kind="warn" title={source.read_at ? t('tried', { time: when.time(source.read_at) }) : t('neverRead')}>
          {t('problem', { why: source.problem })}
        </Notice>
      )}
      {waiting && (
        <Notice kind="info" title={t(isFirst ? 'firstWaiting' : 'waiting')}>
          {isFirst
            ? t('firstWaits', { ...waiting, fresh: waiting.new })
            : t('waits', { ...waiting, fresh: waiting.new })}
        </Notice>
      )}
      {done && <Notice kind={done === 'other' ? 'warn' : 'success'} title={t(done)} />}
      {refused && <Refused refused={refused} tapped />}
      <p className="flex flex-wrap gap-3">
        {waiting && (
          <Button
            variant="primary"
            aria-label={t('applyNamed', { source: name })}
            loading={isSending}
            onClick={() => void apply(waiting.hash)}
          >
            {t('apply')}
          </Button>
        )}
        <Button aria-label={t('readNamed', { source: name })} loading={isSending} onClick={() => void read()}>
          {t('read')}
        </Button>
        <Button
          variant="quiet"
          aria-label={t('stopNamed', { source: name })}
          title={t('stopText')}
          loading={isSending}
          onClick={() => void stop()}
        >
          {t('stop')}
        </Button>
      </p>
      {report && <Remarks remarks={report.remarks} />}
    </li>
  )
}

const empty = { source: '', address: '', minutes: String(usualMinutes) }

/** Reads another programme from an address, or an earlier one from another. Nothing is imported before a yes. */
function NewSource({ onRead }: { onRead: (source: string, report: Report) => void }) {
  const t = useTranslations('adminEvents.sources')
  const { send, isSending, refused } = useSend()
  const same = useSameKey()
  const [typed, setTyped] = useState(empty)
  const field = (name: keyof typeof empty) => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
  })
  async function save() {
    const request = {
      params: { source: typed.source.trim() },
      body: { address: typed.address.trim(), every_minutes: Number(typed.minutes) },
    }
    const { answer } = await send(putProgrammeSource, {
      ...request,
      as: 'action',
      idempotencyKey: same.keyOf(request),
    })
    if (!answer) return
    same.answered()
    setTyped(empty)
    onRead(answer.body.source.source, answer.body.report)
  }
  return (
    <form
      className="grid gap-3 border-t-2 border-hair pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <p className="font-semibold">{t('add')}</p>
      <TextField
        label={t('name')}
        help={t('nameHelp')}
        required
        maxLength={40}
        error={refused?.fields?.['source']}
        {...field('source')}
      />
      <TextField
        label={t('address')}
        help={t('addressHelp')}
        type="url"
        required
        maxLength={2000}
        error={refused?.fields?.['address']}
        {...field('address')}
      />
      <TextField
        label={t('every')}
        help={t('everyHelp', { least: leastMinutes, most: mostMinutes })}
        type="number"
        required
        min={leastMinutes}
        max={mostMinutes}
        error={refused?.fields?.['every_minutes']}
        {...field('minutes')}
      />
      {refused && <Refused refused={refused} />}
      <p>
        <Button type="submit" loading={isSending}>
          {t('save')}
        </Button>
      </p>
    </form>
  )
}
