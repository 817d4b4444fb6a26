import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTimeZone, useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Checkbox } from '../../kit/browser/ui/Checkbox.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { adminEventPage, eventPage, page } from '../../site-map.ts'
import type { Event, Stage } from '../contract.ts'
import { categories } from './calls.ts'
import { saidIn, statuses, wallTime } from './event-fields.ts'
import { NewStage } from './NewStage.tsx'
import { createEvent, deleteEvent, editEvent } from './staff-calls.ts'

/** All that staff can say of an event. Without one it makes a new one. */
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
  /** Somebody else's version takes the place of this one. */
  reload: () => void
}) {
  const t = useTranslations('adminEvents')
  const name = useTranslations('categories')
  const zone = useTimeZone() ?? 'Europe/Zurich'
  const navigate = useNavigate()
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const [isSending, setSending] = useState(false)
  const [stageId, setStageId] = useState(event?.stage_id ?? '')
  const box = useRef<HTMLFormElement>(null)
  async function save(isAnyVersion: boolean) {
    const { status, reason, starts_at, body } = saidIn(new FormData(box.current!), event, zone)
    setSending(true)
    onSaving()
    const { answer, refused: no } = event
      ? await ask(callByFetch, editEvent, {
          params: { event_id: event.event_id },
          // a move or delay names itself, unless somebody chose a status
          body: { ...body, ...(status === event.status ? {} : { status }), reason },
          ...(isAnyVersion ? {} : { ifMatch: event.updated_at }),
          as: 'action',
        })
      : await ask(callByFetch, createEvent, {
          body: { ...body, starts_at, status: status === 'draft' ? 'draft' : 'scheduled' },
          as: 'action',
        })
    setSending(false)
    setRefused(no)
    if (!answer) return
    if (!event) return void navigate(adminEventPage(answer.body.event_id), { replace: true })
    onSaved(answer.body)
  }
  async function remove() {
    if (!event) return
    setSending(true)
    const { refused: no } = await ask(callByFetch, deleteEvent, {
      params: { event_id: event.event_id },
      body: {},
      as: 'action',
    })
    setSending(false)
    if (no) setRefused(no)
    else void navigate(page.adminEvents)
  }
  const fault = (field: string) => refused?.fields?.[field]
  return (
    <form
      ref={box}
      onSubmit={(submitted) => {
        submitted.preventDefault()
        void save(false)
      }}
      className="grid max-w-form gap-5"
    >
      {isSaved && <Notice kind="success" title={t('saved')} />}
      {refused && (
        <Notice
          kind="error"
          title={refused.error || t('failed')}
          action={
            refused.code === 'changed_meanwhile' && (
              <span className="flex flex-wrap gap-3">
                <Button onClick={reload}>{t('reload')}</Button>
                <Button onClick={() => void save(true)}>{t('saveAnyway')}</Button>
              </span>
            )
          }
        />
      )}
      <TextField label={t('name')} name="title" defaultValue={event?.title} maxLength={120} error={fault('title')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          type="datetime-local"
          label={t('starts')}
          name="starts_at"
          defaultValue={wallTime(event?.starts_at, zone)}
          error={fault('starts_at')}
        />
        <TextField
          type="datetime-local"
          label={t('ends')}
          help={t('endsHelp')}
          name="ends_at"
          defaultValue={wallTime(event?.ends_at, zone)}
          error={fault('ends_at')}
        />
        <Select
          label={t('stage')}
          name="stage_id"
          value={stageId}
          onChange={({ target }) => setStageId(target.value)}
          error={fault('stage_id')}
        >
          <option value="">{t('noStage')}</option>
          {stages.map(({ stage_id, stage }) => (
            <option key={stage_id} value={stage_id}>
              {stage}
            </option>
          ))}
        </Select>
        <Select
          label={t('status')}
          name="status"
          defaultValue={event ? (event.status === 'ended' ? 'scheduled' : event.status) : 'scheduled'}
        >
          {statuses
            .filter((status) => event || status === 'draft' || status === 'scheduled')
            .map((status) => (
              <option key={status} value={status}>
                {t(`statuses.${status}`)}
              </option>
            ))}
        </Select>
        <Select label={t('category')} name="category" defaultValue={event?.category ?? 'music'}>
          {categories.map((category) => (
            <option key={category} value={category}>
              {name(category)}
            </option>
          ))}
        </Select>
        <TextField
          label={t('price')}
          name="price_chf"
          inputMode="decimal"
          defaultValue={event?.price_chf ?? ''}
          help={t('priceHelp')}
          error={fault('price_chf')}
        />
      </div>
      <NewStage
        stages={stages}
        onMade={(made) => {
          onStage(made)
          setStageId(made.stage_id)
        }}
      />
      <TextArea
        label={t('performers')}
        help={t('performersHelp')}
        name="performers"
        rows={3}
        defaultValue={event?.performers.map(({ performer_name }) => performer_name).join('\n')}
        error={fault('performers')}
      />
      <TextArea
        label={t('text')}
        help={t('textHelp')}
        name="description"
        rows={6}
        maxLength={5000}
        defaultValue={event?.description ?? ''}
        error={fault('description')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('languages')}
          help="de, fr, en"
          name="languages"
          defaultValue={event?.languages.join(', ')}
          error={fault('languages')}
        />
        <TextField
          label={t('age')}
          name="age_min"
          inputMode="numeric"
          defaultValue={event?.age_min ?? ''}
          error={fault('age_min')}
        />
      </div>
      <TextField
        label={t('tickets')}
        name="ticket_url"
        type="url"
        defaultValue={event?.ticket_url ?? ''}
        error={fault('ticket_url')}
      />
      <Checkbox label={t('family')} name="family_friendly" defaultChecked={event?.family_friendly} />
      {event && (
        <TextField label={t('reason')} help={t('reasonHelp')} name="reason" maxLength={500} error={fault('reason')} />
      )}
      <p className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" loading={isSending}>
          {t('save')}
        </Button>
        {event && event.status !== 'draft' && <ButtonLink href={eventPage(event.event_id)}>{t('show')}</ButtonLink>}
        {event && (
          <Button variant="danger" disabled={isSending} onClick={() => void remove()}>
            {t('remove')}
          </Button>
        )}
      </p>
    </form>
  )
}
