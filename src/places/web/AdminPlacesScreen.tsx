import 'texts:accountForms,adminPlaces,forms,importFile,staff'
import { useTranslations } from 'use-intl'
import { ImportFile, type SendFile } from '../../staff/web/ImportFile.tsx'
import { StaffPage } from '../../staff/web/StaffPage.tsx'
import { importPlaces } from '../contract.ts'

const send: SendFile = async (askOnce, file, body) => {
  const { answer, refused } = await askOnce(importPlaces, { body, files: { file }, as: 'action' })
  return refused ? { report: null, refused } : { report: answer.body, refused: null }
}

/** Imports a list of places after a look at what it would change. */
export default function AdminPlacesScreen() {
  const t = useTranslations('adminPlaces')
  return (
    <StaffPage title={t('title')} current="places" refused={null}>
      <p className="max-w-prose">{t('intro')}</p>
      <ImportFile
        action="import-places"
        accept=".geojson,.json,.csv,.tsv,.txt,.xlsx"
        formats="Excel, CSV, GeoJSON"
        send={send}
      />
    </StaffPage>
  )
}
