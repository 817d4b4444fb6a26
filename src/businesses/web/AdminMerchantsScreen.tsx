import 'texts:accountForms,adminMerchants,forms,importFile,staff'
import { useTranslations } from 'use-intl'
import { ImportFile, type SendFile } from '../../staff/web/ImportFile.tsx'
import { StaffPage } from '../../staff/web/StaffPage.tsx'
import { importMerchants } from '../contract/importing.ts'

const send: SendFile = async (askOnce, file, body) => {
  const { answer, refused } = await askOnce(importMerchants, { body, files: { file }, as: 'action' })
  return refused ? { report: null, refused } : { report: answer.body, refused: null }
}

/** Imports a list of merchants after a look at what it would change. */
export default function AdminMerchantsScreen() {
  const t = useTranslations('adminMerchants')
  return (
    <StaffPage title={t('title')} current="merchants" refused={null}>
      <p className="max-w-prose">{t('intro')}</p>
      <ImportFile
        action="import-businesses"
        accept=".geojson,.json,.csv,.tsv,.txt,.xlsx"
        formats="Excel, CSV, GeoJSON"
        send={send}
      />
    </StaffPage>
  )
}
