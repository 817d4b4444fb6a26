import { z } from 'zod'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { importingList, importRefusals, listMaxBytes, listReport, staffAlone } from '../../staff/contract.ts'

export const importMerchants = endpoint({
  method: 'POST',
  path: '/api/admin/merchants/import',
  summary: 'Takes a list of merchants over, or with dry_run says what it would change',
  tag: 'businesses',
  files: { file: { maxBytes: listMaxBytes } },
  body: z.object(importingList),
  access: staffAlone,
  staff: { action: 'import-businesses', inverse: true },
  idempotent: true,
  answersWithinMs: 60_000,
  answer: listReport,
  refusals: importRefusals,
})
