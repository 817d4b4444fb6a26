import 'texts:accountForms,adminUrgent,forms,staff,urgent'
import { useState, type FormEvent } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { ask as request } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useAskOnce } from '../../kit/browser/forms/use-ask-once.ts'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { newKey } from '../../kit/browser/new-key.ts'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { useKnownSession } from '../../accounts/web/session.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useEditDraft } from '../../kit/browser/use-edit-draft.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { announceDecision } from '../../staff/web/decisions.ts'
import { ActionNotice } from '../../staff/web/ActionNotice.tsx'
import { StaffPage } from '../../staff/web/StaffPage.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { page } from '../../site-map.ts'
import { endUrgent, listStaffUrgent, sendUrgent, urgentKinds, type StaffNotice, type UrgentKind } from '../contract.ts'
import { noticeLead } from '../limits.ts'

const languages = ['en', 'de', 'fr'] as const
/** How long a notice is shown. */
const hours = [1, 2, 4, 8, 24] as const

/** Staff send a notice to everybody; below the form are the notices so far, each with its end. */
export default function AdminUrgentScreen() {
  const t = useTranslations('adminUrgent')
  const forms = useTranslations('forms')
  const session = useKnownSession()
  const askOnce = useAskOnce()
  const isIn = session !== 'guest' && session !== 'unknown'
  const { body, refused, again } = useAnswer(listStaffUrgent, isIn ? { as: 'background' } : null)
  // shown at the list: above the form it would read as if a notice had not been sent
  const isNotLoaded = refused !== null && (refused.status === 0 || refused.status >= 429)
  const [message, setMessage] = useState<{ kind: 'success' | 'error'; text: string } | null>(null)
  const end = async (notice: StaffNotice) => {
    const params = { notice_id: notice.notice_id }
    const { refused: no } = await askOnce(endUrgent, { as: 'action', params })
    setMessage(
      no
        ? { kind: 'error', text: no.error || forms(no.status === 0 ? 'offlineTap' : 'failedTap') }
        : { kind: 'success', text: t('hasEnded') },
    )
    again()
    announceDecision()
  }
  return (
    <StaffPage title={t('title')} current="urgent" refused={isNotLoaded ? null : refused}>
      <ActionNotice notice={message} />
      <SendForm
        tried={(isSent) => {
          setMessage(isSent ? { kind: 'success', text: t('sent') } : null)
          // a send that failed may have arrived
          again()
          announceDecision()
        }}
      />
      <h2 className="text-2xl">{t('list')}</h2>
      {isNotLoaded && <NotLoaded refused={refused} again={again} />}
      {body?.length === 0 && <EmptyState title={t('nothing')} />}
      <ul className="grid gap-3">
        {body?.map((notice) => (
          <Item key={notice.notice_id} notice={notice} onEnd={end} />
        ))}
      </ul>
    </StaffPage>
  )
}

/** As a notice is shown: on one line, with the no-break spaces of French. */
const onOneLine = (text: string) => text.replace(/[^\S\u00A0\u202F]+/g, ' ').trim()

const blank = { kind: 'storm', hours: '2', en: '', de: '', fr: '', key: '' }

function SendForm({ tried }: { tried: (isSent: boolean) => void }) {
  const t = useTranslations('adminUrgent')
  const draft = useEditDraft(page.adminUrgent, blank)
  const values = draft.values as typeof blank
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const [isMissing, setMissing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const change = (name: keyof typeof blank, value: string) => {
    draft.set(name, value)
    // a changed text is a new notice, and needs a new idempotency key
    if (onOneLine(value) !== onOneLine(values[name])) draft.set('key', '')
  }
  const ask = (event: FormEvent) => {
    event.preventDefault()
    const isWhole = languages.every((language) => values[language].trim() !== '')
    setRefused(null)
    setMissing(!isWhole)
    setAsking(isWhole)
  }
  const send = async () => {
    // the key outlives a reload: a send that failed may have arrived, and a retry with another key would push it twice
    const sendWith = (key: string) => {
      draft.set('key', key)
      return request(callByFetch, sendUrgent, { body, as: 'action', idempotencyKey: key })
    }
    const body = {
      kind: values.kind as UrgentKind,
      text_en: onOneLine(values.en),
      text_de: onOneLine(values.de),
      text_fr: onOneLine(values.fr),
      minutes: Number(values.hours) * 60,
    }
    setBusy(true)
    let { answer, refused: no } = await sendWith(values.key || newKey())
    // an earlier notice with these texts was sent and is over: send a new one
    if (answer && !answer.body.is_shown) ({ answer, refused: no } = await sendWith(newKey()))
    setBusy(false)
    setRefused(no)
    tried(no === null)
    if (no) return setAsking(!no.fields)
    draft.discard()
    setAsking(false)
  }
  return (
    <>
      <form onSubmit={ask} noValidate className="grid max-w-[48rem] gap-4">
        <p>{t('lead')}</p>
        <div className="flex flex-wrap gap-4">
          <Select label={t('kindLabel')} value={values.kind} onChange={({ target }) => change('kind', target.value)}>
            {urgentKinds.map((each) => (
              <option key={each} value={each}>
                {t(`kind.${each}`)}
              </option>
            ))}
          </Select>
          <Select label={t('howLong')} value={values.hours} onChange={({ target }) => change('hours', target.value)}>
            {hours.map((n) => (
              <option key={n} value={n}>
                {t('hours', { n })}
              </option>
            ))}
          </Select>
        </div>
        <Preview kind={values.kind as UrgentKind} of={values} />
        {languages.map((language) => (
          <TextArea
            key={language}
            label={t(`text.${language}`)}
            lang={language}
            rows={2}
            maxLength={300}
            value={values[language]}
            error={isMissing && values[language].trim() === '' ? t('required') : refused?.fields?.[`text_${language}`]}
            onChange={({ currentTarget }) => change(language, currentTarget.value)}
          />
        ))}
        <Button type="submit" variant="danger" className="justify-self-start">
          {t('send')}
        </Button>
      </form>
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('confirmTitle')}
        closeLabel={t('close')}
        actions={
          <>
            <Button variant="danger" loading={busy} loadingText={t('sending')} onClick={() => void send()}>
              {t('sendNow')}
            </Button>
            <Button disabled={busy} onClick={() => setAsking(false)}>
              {t('change')}
            </Button>
          </>
        }
      >
        <p>
          {t('confirmText', {
            kind: t(`kind.${values.kind as UrgentKind}`),
            hours: t('hours', { n: Number(values.hours) }),
          })}
        </p>
        {refused && !refused.fields && <Refused refused={refused} />}
        {languages.map((language) => (
          <p
            key={language}
            lang={language}
            className="border-2 border-night bg-lantern p-3 font-semibold text-on-lantern wrap-anywhere"
          >
            {onOneLine(values[language])}
          </p>
        ))}
      </Dialog>
    </>
  )
}

/** The banner as the reader of this page will see it, while it is being written. */
function Preview({ kind, of }: { kind: UrgentKind; of: Record<string, string> }) {
  const t = useTranslations('adminUrgent')
  const title = useTranslations('urgent')(`kind.${kind}`)
  const locale = useLocale()
  return (
    <div className="grid gap-1.5">
      <p className="text-sm font-semibold">{t('preview')}</p>
      <p className="border-2 border-night bg-lantern p-3 text-on-lantern wrap-anywhere">
        <strong>
          {noticeLead(title, locale)}
          {onOneLine(of[locale] ?? '') || '…'}
        </strong>
      </p>
    </div>
  )
}

function Item({ notice, onEnd }: { notice: StaffNotice; onEnd: (notice: StaffNotice) => Promise<void> }) {
  const t = useTranslations('adminUrgent')
  const when = useWhen()
  const [busy, setBusy] = useState(false)
  const end = notice.ended_at ?? notice.ends_at
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-6 border-2 border-rule bg-surface p-3">
      <div className="grid min-w-[min(100%,16rem)] flex-1 gap-0.5 wrap-anywhere">
        <p className="font-semibold">{t(`kind.${notice.kind}`)}</p>
        {languages.map((language) => (
          <p key={language} lang={language}>
            {notice[`text_${language}`]}
          </p>
        ))}
        <p className="text-sm text-ink-soft">
          {when.day(notice.created_at)}, {when.clock(notice.created_at)} –{' '}
          {t(notice.is_shown ? 'until' : 'ended', { when: `${when.day(end)}, ${when.clock(end)}` })}
        </p>
      </div>
      {notice.is_shown && (
        <Button
          loading={busy}
          onClick={async () => {
            setBusy(true)
            await onEnd(notice)
            setBusy(false)
          }}
        >
          {t('end')}
        </Button>
      )}
    </li>
  )
}
