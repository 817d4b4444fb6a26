import 'texts:reportDialog'
import { ReportDialog as Dialog, type Report } from '../../brand/ReportDialog.tsx'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import type { ReportDialogProps } from '../../ratings/web/ReportButton.tsx'
import { reportDeal } from '../contract.ts'

/** Dialog to report a deal. */
export default function ReportDialog({ dealId, state, close, done }: { dealId: string } & ReportDialogProps) {
  const { send, isSending, refused } = useSend()
  const report = async (body: Report) => {
    const { answer } = await send(reportDeal, { as: 'action', params: { deal_id: dealId }, body })
    if (answer) done()
  }
  return <Dialog of="deal" {...{ state, isSending, refused, close }} send={(body) => void report(body)} />
}
