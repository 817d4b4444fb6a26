import { useState } from 'react'
import Download from 'lucide-react/icons/download'
import { useTranslations } from 'use-intl'
import { fileByFetch } from '../../kit/browser/file-by-fetch.ts'
import { saveFile } from '../../kit/browser/save-file.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { refusedAnswer } from '../../kit/shared/refusal.ts'
import type * as contract from '../contract.ts'

/** Downloads the figures of each deal and day as CSV. */
export function ExportButton({ businessId, query }: { businessId: string; query: { from?: string } }) {
  const t = useTranslations('analytics')
  const [isLoading, setLoading] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const load = async () => {
    setLoading(true)
    setFault(null)
    try {
      const input = { as: 'action', params: { business_id: businessId }, query } as const
      const { file, name } = await fileByFetch<typeof contract.exportAnalytics>(
        'GET /api/business/{business_id}/analytics.csv',
        input,
      )
      saveFile(file, name)
    } catch (error) {
      const refused = refusedAnswer(error)
      if (!refused) throw error
      setFault(refused.error || t('failed'))
    } finally {
      setLoading(false)
    }
  }
  return (
    <span className="flex flex-wrap items-center gap-3">
      <Button icon={<Download aria-hidden="true" className="size-5" />} loading={isLoading} onClick={() => void load()}>
        {t('export')}
      </Button>
      {fault && <span role="alert">{fault}</span>}
    </span>
  )
}
