import 'texts:accountForms,categories,forms,staff'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useKnownSession } from '../../accounts/web/session.ts'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { chf } from '../../kit/shared/numbers.ts'
import { page } from '../../site-map.ts'
import { type AuditEntry, listLog, type Reach, undo } from '../contract.ts'
import { changesOf, type LoggedField } from './log-changes.ts'
import { ReachText, thingsOf } from './ReachText.tsx'
import { ActionNotice } from './ActionNotice.tsx'
import { StaffPage } from './StaffPage.tsx'
import { useDecide } from './use-decide.ts'

const actions = [
  'create-event',
  'edit-event',
  'delete-event',
  'create-stage',
  'edit-venue',
  'import-events',
  'edit-source',
  'import-places',
  'import-businesses',
  'send-urgent',
  'end-urgent',
  'decide-report',
  'suspend-business',
  'lift-suspension',
  'moderate-post',
  'moderate-topic',
  'merge-topic',
  'moderate-member',
  'decide-appeal',
  'add-staff',
  'remove-staff',
  'reset-factor',
  'reset-password',
  'undo',
] as const

const atOnce = 50

/** The log of staff, newest first, each entry with its undo. */
export default function AdminLogScreen() {
  const t = useTranslations('staff')
  const [address, setAddress] = useSearchParams()
  const session = useKnownSession()
  const query = {
    action: address.get('action') || undefined,
    person: address.get('person') || undefined,
    from: address.get('from') || undefined,
    to: address.get('to') || undefined,
    limit: atOnce,
    after: address.get('after') || undefined,
  }
  const { decide, isSending } = useDecide()
  const isIn = session !== 'guest' && session !== 'unknown'
  const { body, refused, next, again } = useAnswer(listLog, isIn ? { query, as: 'background' } : null)
  const [notice, setNotice] = useState<{ kind: 'success' | 'warn' | 'error'; text: string } | null>(null)
  const narrowed = (name: string, value: string) => {
    const narrower = new URLSearchParams(address)
    narrower.delete('after')
    if (value) narrower.set(name, value)
    else narrower.delete(name)
    return narrower
  }
  const narrow = (name: string, value: string) => setAddress(narrowed(name, value), { preventScrollReset: true })
  /** An undo to confirm: how many things and how many people it concerns. */
  const [question, setQuestion] = useState<UndoQuestion | null>(null)
  /** A dry run first: an undo of several things, or one that hides what people saved, is confirmed in a dialog. */
  async function begin(entry: AuditEntry) {
    const params = { entry_id: entry.entry_id }
    const { answer, fault } = await decide(undo, { as: 'action', params, body: { dry_run: true } })
    if (!answer) return setNotice({ kind: 'error', text: fault! })
    const { reach } = answer.body
    if (thingsOf(reach) > 1 || (reach.hidden > 0 && reach.people > 0)) return setQuestion({ entry, reach })
    return takeBack({ entry, reach })
  }
  async function takeBack({ entry, reach }: UndoQuestion) {
    const params = { entry_id: entry.entry_id }
    const body = { confirmed: thingsOf(reach) }
    const { answer, fault } = await decide(undo, { as: 'action', params, body })
    setQuestion(null)
    if (!answer) setNotice({ kind: 'error', text: fault! })
    else if (answer.body.kept.length > 0)
      setNotice({ kind: 'warn', text: t('kept', { names: answer.body.kept.join(', ') }) })
    else setNotice({ kind: 'success', text: t('undone', { name: entry.object_name }) })
    again()
  }
  return (
    <StaffPage title={t('log')} current="log" refused={refused} again={again}>
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label={t('action')}
          value={query.action ?? ''}
          onChange={(event) => narrow('action', event.target.value)}
          className="max-w-full min-w-[min(100%,12rem)]"
        >
          <option value="">{t('allActions')}</option>
          {actions.map((action) => (
            <option key={action} value={action}>
              {t(`kind.${action}`)}
            </option>
          ))}
        </Select>
        <TextField
          type="date"
          label={t('from')}
          value={query.from ?? ''}
          onChange={(event) => narrow('from', event.target.value)}
        />
        <TextField
          type="date"
          label={t('to')}
          value={query.to ?? ''}
          onChange={(event) => narrow('to', event.target.value)}
        />
      </div>
      <ActionNotice notice={notice} />
      {question && (
        <Dialog
          open
          onClose={() => setQuestion(null)}
          title={t('undoTitle', { name: question.entry.object_name })}
          closeLabel={t('close')}
          actions={
            <>
              <Button variant="danger" loading={isSending} onClick={() => void takeBack(question)}>
                {t('takeBack')}
              </Button>
              <Button onClick={() => setQuestion(null)}>{t('leave')}</Button>
            </>
          }
        >
          <ReachText reach={question.reach} />
          <p>{t('undoAgain')}</p>
        </Dialog>
      )}
      {body?.length === 0 && <EmptyState title={t('nothing')} />}
      <ul className="grid gap-3">
        {body?.map((entry) => (
          <Entry key={entry.entry_id} entry={entry} onUndo={begin} onPerson={(id) => narrow('person', id)} />
        ))}
      </ul>
      {next !== null && (
        <a
          href={`${page.adminLog}?${narrowed('after', next).toString()}`}
          className="link inline-flex min-h-11 items-center justify-self-center"
        >
          {t('olderEntries')}
        </a>
      )}
    </StaffPage>
  )
}

interface UndoQuestion {
  entry: AuditEntry
  reach: Reach
}

function Entry({
  entry,
  onUndo,
  onPerson,
}: {
  entry: AuditEntry
  onUndo: (entry: AuditEntry) => Promise<void>
  onPerson: (accountId: string) => void
}) {
  const t = useTranslations('staff')
  const when = useWhen()
  const [isSending, setSending] = useState(false)
  const changes = changesOf(entry)
  const shown = useShownValue()
  const knownAction = (action: string) => actions.find((each) => each === action)
  const named = (action: string) => {
    const kind = knownAction(action)
    return kind ? t(`kind.${kind}`) : action
  }
  const known = knownAction(entry.action)
  const isCommand = entry.account_id === null && entry.actor === 'command'
  const actor = isCommand ? t('command') : entry.actor
  const moment = (at: string) => `${when.day(at)}, ${when.clock(at)}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-6 border-2 border-rule bg-surface p-3">
      <div className="grid min-w-[min(100%,16rem)] flex-1 gap-0.5 [overflow-wrap:anywhere]">
        <p className="font-semibold">
          {entry.undid
            ? t(entry.undid.action === 'undo' ? 'redid' : 'undid', {
                actor,
                what: named(entry.undid.action),
                name: entry.object_name,
                when: moment(entry.undid.at),
              })
            : known
              ? t(`sentence.${known}`, {
                  actor,
                  by: isCommand ? 'command' : 'person',
                  name: entry.object_name,
                  what: String(entry.after?.['what'] ?? ''),
                })
              : `${actor}: ${entry.action} ${entry.object_name}`}
        </p>
        <p className="text-sm text-ink-soft">
          {moment(entry.at)}
          {entry.is_undone && ` · ${t('isUndone')}`}
        </p>
        {changes.length > 0 && (
          <ul className="grid gap-0.5 py-1 text-sm">
            {changes.map(({ field, before, after }) => (
              <li key={field}>
                {t('change', { field: t(`fields.${field}`), before: shown(field, before), after: shown(field, after) })}
              </li>
            ))}
          </ul>
        )}
        {entry.reason && <p className="text-sm">{t('because', { reason: entry.reason })}</p>}
        {entry.account_id && (
          <button
            type="button"
            className="link inline-flex min-h-11 w-fit items-center text-sm"
            onClick={() => onPerson(entry.account_id!)}
          >
            {t('ofPerson', { actor: entry.actor })}
          </button>
        )}
      </div>
      {entry.can_undo && (
        <Button
          loading={isSending}
          aria-label={t('takeBackNamed', {
            what: named(entry.action),
            name: entry.object_name,
            when: moment(entry.at),
          })}
          onClick={async () => {
            setSending(true)
            await onUndo(entry)
            setSending(false)
          }}
        >
          {t('takeBack')}
        </Button>
      )}
    </li>
  )
}

const longest = 160

/** Formats a value of the log; times in the festival's zone. */
function useShownValue() {
  const t = useTranslations('staff')
  const category = useTranslations('categories')
  const when = useWhen()
  return (field: LoggedField, value: unknown): string => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t('empty')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    // Part of the file name, so that two pictures can be told apart.
    if (field === 'image_url') return t('pictureNamed', { name: String(value).slice(-9, -5) })
    if (field === 'price_rappen') return chf(Number(value) / 100)
    if (Array.isArray(value)) return value.join(', ')
    const text = String(value)
    if (field === 'starts_at' || field === 'ends_at' || field === 'silenced_until')
      return `${when.day(text)}, ${when.clock(text)}`
    if (field === 'state' && t.has(`states.${text as 'draft'}`)) return t(`states.${text as 'draft'}`)
    if (field === 'category' && category.has(text as 'music')) return category(text as 'music')
    return text.length > longest ? `${text.slice(0, longest)}…` : text
  }
}
