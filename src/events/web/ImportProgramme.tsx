import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import { ImportFile, type SendFile } from '../../staff/web/ImportFile.tsx'
import { importEvents } from '../contract.ts'
import { TableColumns, type TableChoice } from './TableColumns.tsx'

type Report = AnswerBody<typeof importEvents>

/** Imports a programme after a look at what it would change; of a table, a person may say what its columns hold. */
export function ImportProgramme({ onDone }: { onDone: () => void }) {
  const t = useTranslations('adminEvents')
  const [choice, setChoice] = useState<TableChoice>({ columns: {} })
  const send: SendFile<Report> = async (askOnce, file, { far: _, ...body }) => {
    const { columns, dayOrder } = choice
    const choices = {
      ...(Object.keys(columns).length > 0 && { columns: JSON.stringify(columns) }),
      ...(dayOrder && { day_order: dayOrder }),
    }
    const { answer, refused } = await askOnce(importEvents, {
      body: { ...body, ...choices },
      files: { file },
      as: 'action',
    })
    return refused ? { report: null, refused } : { report: answer.body, refused: null }
  }
  return (
    <details className="rounded-6 border-2 border-rule bg-surface p-3">
      <summary className="cursor-pointer py-2.5 font-semibold">{t('import')}</summary>
      <div className="pt-3">
        <ImportFile
          action="import-events"
          accept=".json,.xml,.ics,.csv,.tsv,.txt,.xlsx"
          formats="Excel, CSV, iCalendar, XML, JSON"
          send={send}
          questions={({ table }, onAnswer) =>
            table && {
              isOpen: !table.is_enough || table.unclear_date !== null,
              shown: (
                <TableColumns
                  table={table}
                  choice={choice}
                  onChoice={(next) => {
                    setChoice(next)
                    onAnswer()
                  }}
                />
              ),
            }
          }
          onFile={() => setChoice({ columns: {} })}
          onDone={onDone}
        />
      </div>
    </details>
  )
}
