import 'texts:accountForms,adminEvents,categories,forms,merchantForms,pictures,staff'
import { useState } from 'react'
import { useParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useKnownSession } from '../../accounts/web/session.ts'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { StaffPage } from '../../staff/web/StaffPage.tsx'
import { EventForm } from './EventForm.tsx'
import { getStaffEvent, listStaffStages } from '../contract.ts'

/** All fields of one event, for staff; times are wall times of the festival. */
export default function EditEventScreen() {
  const t = useTranslations('adminEvents')
  const { event_id = 'new' } = useParams()
  const isNew = event_id === 'new'
  const [savedId, setSavedId] = useState<string | null>(null)
  const session = useKnownSession()
  const isIn = session !== 'guest' && session !== 'unknown'
  const stages = useAnswer(listStaffStages, isIn ? { as: 'background' } : null)
  const event = useAnswer(getStaffEvent, isIn && !isNew ? { params: { event_id }, as: 'background' } : null)
  return (
    <StaffPage
      title={isNew ? t('create') : t('editTitle')}
      current="events"
      refused={stages.refused ?? event.refused}
      again={() => {
        stages.again()
        event.again()
      }}
    >
      {stages.body && (isNew || event.body) && (
        <EventForm
          key={event.body ? `${event.body.updated_at} ${event.body.sequence}` : 'new'}
          event={event.body}
          stages={stages.body}
          isSaved={savedId === event_id}
          onSaving={() => setSavedId(null)}
          onStage={(made) => stages.set([...stages.body!, made])}
          reload={event.again}
          onSaved={(saved) => {
            setSavedId(saved.event_id)
            // a new event is loaded at its own address instead
            if (!isNew) event.set(saved)
          }}
        />
      )}
    </StaffPage>
  )
}
