import { useEffect, useMemo, useRef, useState } from 'react'
import { useTimeZone, useTranslations } from 'use-intl'
import { Overtaken } from '../../businesses/web/editing/Overtaken.tsx'
import { Uploading, useUploading } from '../../businesses/web/editing/uploading.ts'
import { focusFirst } from '../../kit/browser/forms/focus-first.ts'
import { isBeside } from '../../kit/browser/forms/is-beside.ts'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { useSameKey } from '../../kit/browser/forms/use-same-key.ts'
import { useNavigateIfHere } from '../../kit/browser/navigate-if-here.ts'
import { newKey } from '../../kit/browser/new-key.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Checkbox } from '../../kit/browser/ui/Checkbox.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { useEditDraft } from '../../kit/browser/use-edit-draft.ts'
import { ActionNotice } from '../../staff/web/ActionNotice.tsx'
import { adminEventPage, eventPage, page } from '../../site-map.ts'
import { createEvent, editEvent, type Event, type Stage } from '../contract.ts'
import { eventCategories, eventStates } from '../limits.ts'
import { DeleteEvent } from './DeleteEvent.tsx'
import { EventPicture } from './EventPicture.tsx'
import { daysOf, endBeside, endOfDay, fieldsOf, eventBody, startOfDay } from './event-fields.ts'
import { NewStage } from './NewStage.tsx'

/** Errors by field; that of one item (`performers.3`) shows at the field of the list. */
const byField = (faults: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name.replace(/\.\d+$/, ''), fault]))

/** The form of an event for staff; creates one if `event` is null. */
export function EventForm({
  event,
  stages,
  isSaved,
  onSaving,
  onSaved,
  onStage,
  reload,
}: {
  event: Event | null
  stages: Stage[]
  isSaved: boolean
  onSaving: () => void
  onSaved: (event: Event) => void
  onStage: (stage: Stage) => void
  /** Called with the version of somebody else, to replace this one. */
  reload: () => void
}) {
  const t = useTranslations('adminEvents')
  const name = useTranslations('categories')
  const pictures = useTranslations('pictures')
  const forms = useTranslations('forms')
  const zone = useTimeZone() ?? 'Europe/Zurich'
  const goOn = useNavigateIfHere()
  const { send, isSending, refused } = useSend()
  const faults = useMemo(() => byField(refused?.fields), [refused])
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    focusFirst(form.current, faults)
  }, [faults])
  const same = useSameKey()
  const { isUploading, countUploading } = useUploading()
  const [isAskingToDelete, setAskingToDelete] = useState(false)
  const saved = useMemo(() => fieldsOf(event, zone), [event, zone])
  const savedText = useMemo(() => ({ kind: 'success', text: t('saved') }) as const, [t])
  const draft = useEditDraft(adminEventPage(event?.event_id ?? 'new'), saved)
  const set = (name: string, value: string) => {
    draft.set(name, value)
    // a changed form must not reuse the key: the first request may have created an event
    draft.set('key', '')
  }
  async function save(isAnyVersion: boolean) {
    const { status, isStatusChanged, reason, starts_at, body } = eventBody(draft.values, event, zone)
    onSaving()
    // the key stays over a reload: a request that seemed to fail may have arrived, and a new key would create a second event
    const key = draft.values['key'] || newKey()
    if (!event) draft.set('key', key)
    const edited = {
      params: { event_id: event?.event_id ?? '' },
      body: { ...body, ...(isStatusChanged ? { status } : {}), reason },
      ...(isAnyVersion || !event ? {} : { ifMatch: event.updated_at }),
    }
    const { answer } = event
      ? await send(editEvent, { ...edited, as: 'action', idempotencyKey: same.keyOf(edited) })
      : await send(createEvent, {
          body: { ...body, starts_at, status: status === 'draft' ? 'draft' : 'scheduled' },
          as: 'action',
          idempotencyKey: key,
        })
    if (!answer) return
    same.answered()
    draft.discard()
    if (!event) goOn(adminEventPage(answer.body.event_id), { replace: true })
    onSaved(answer.body)
  }
  const isAllDay = Boolean(draft.values['all_day'])
  const days = daysOf(draft.values)
  /** Props of a field: its name, its value (draft over stored), and its error. */
  const field = (of: string) => ({
    name: of,
    value: draft.values[of] ?? '',
    error: faults[of],
    onChange: ({ target }: { target: { value: string } }) => set(of, target.value),
  })
  return (
    <>
      <form
        ref={form}
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault()
          void save(false)
        }}
        className="grid max-w-form gap-5"
      >
        <TextField label={t('name')} maxLength={120} {...field('title')} />
        <Checkbox
          label={t('allDay')}
          name="all_day"
          checked={isAllDay}
          onChange={({ target }) => set('all_day', target.checked ? 'true' : '')}
        />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {isAllDay ? (
            <>
              <TextField
                type="date"
                label={t('firstDay')}
                {...field('starts_at')}
                value={days.first}
                onChange={({ target }) => set('starts_at', startOfDay(target.value))}
              />
              <TextField
                type="date"
                label={t('lastDay')}
                help={t('lastDayHelp')}
                {...field('ends_at')}
                value={days.last}
                onChange={({ target }) => set('ends_at', endOfDay(target.value))}
              />
            </>
          ) : (
            <>
              <TextField
                type="datetime-local"
                label={t('starts')}
                {...field('starts_at')}
                onChange={({ target }) => {
                  set('ends_at', endBeside(draft.values, saved, target.value))
                  set('starts_at', target.value)
                }}
              />
              <TextField type="datetime-local" label={t('ends')} help={t('endsHelp')} {...field('ends_at')} />
            </>
          )}
          <Select label={t('stage')} {...field('stage_id')}>
            <option value="">{t('noStage')}</option>
            {stages.map(({ stage_id, stage }) => (
              <option key={stage_id} value={stage_id}>
                {stage}
              </option>
            ))}
          </Select>
          <Select label={t('status')} {...field('status')}>
            {eventStates
              .filter((status) => event || status === 'draft' || status === 'scheduled')
              .map((status) => (
                <option key={status} value={status}>
                  {t(`statuses.${status}`)}
                </option>
              ))}
          </Select>
          <Select label={t('category')} {...field('category')}>
            {eventCategories.map((category) => (
              <option key={category} value={category}>
                {name(category)}
              </option>
            ))}
          </Select>
          <TextField label={t('price')} inputMode="decimal" help={t('priceHelp')} {...field('price_chf')} />
        </div>
        <NewStage
          stages={stages}
          onMade={(made) => {
            onStage(made)
            set('stage_id', made.stage_id)
          }}
        />
        <TextArea label={t('performers')} help={t('performersHelp')} rows={3} {...field('performers')} />
        <TextArea label={t('text')} help={t('textHelp')} rows={6} maxLength={5000} {...field('description')} />
        <Uploading value={countUploading}>
          <EventPicture
            image={draft.values['image_url'] ?? ''}
            error={faults['image_url']}
            onChange={(image) => set('image_url', image)}
          />
        </Uploading>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField label={t('languages')} help="de, fr, en" {...field('languages')} />
          <TextField label={t('age')} inputMode="numeric" {...field('age_min')} />
        </div>
        <TextField label={t('tickets')} type="url" {...field('ticket_url')} />
        <Checkbox
          label={t('family')}
          name="family_friendly"
          checked={draft.values['family_friendly'] !== ''}
          onChange={({ target }) => set('family_friendly', target.checked ? 'true' : '')}
        />
        {event && <TextField label={t('reason')} help={t('reasonHelp')} maxLength={500} {...field('reason')} />}
        <Overtaken draft={draft} />
        {isSaved && <ActionNotice notice={savedText} />}
        {refused?.status === 0 && <Refused refused={refused} />}
        {refused && refused.status !== 0 && (
          <Notice
            kind="error"
            title={
              isBeside(refused) ? forms('check', { count: Object.keys(faults).length }) : refused.error || t('failed')
            }
            action={
              refused.code === 'changed_meanwhile' && (
                <span className="flex flex-wrap gap-3">
                  <Button
                    onClick={() => {
                      draft.discard()
                      reload()
                    }}
                  >
                    {t('reload')}
                  </Button>
                  <Button disabled={isUploading} onClick={() => void save(true)}>
                    {t('saveAnyway')}
                  </Button>
                </span>
              )
            }
          />
        )}
        <p className="flex flex-wrap gap-3">
          <Button
            type="submit"
            variant="primary"
            loading={isSending || isUploading}
            loadingText={isUploading ? pictures('sending') : undefined}
          >
            {t('save')}
          </Button>
          {event && event.status !== 'draft' && <ButtonLink href={eventPage(event.event_id)}>{t('show')}</ButtonLink>}
          {event && (
            <Button variant="danger" disabled={isSending} onClick={() => setAskingToDelete(true)}>
              {t('remove')}
            </Button>
          )}
        </p>
      </form>
      {event && isAskingToDelete && (
        <DeleteEvent
          event={event}
          reason={draft.values['reason'] ?? ''}
          onReason={(reason) => draft.set('reason', reason)}
          onClose={() => setAskingToDelete(false)}
          onDeleted={() => {
            draft.discard()
            goOn(page.adminEvents, { state: { deleted: event.title } })
          }}
        />
      )}
    </>
  )
}
