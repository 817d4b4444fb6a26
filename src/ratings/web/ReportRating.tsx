import 'texts:reportDialog'
import { ReportDialog, type Report } from '../../brand/ReportDialog.tsx'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { reportRating } from '../contract.ts'
import type { ReportDialogProps } from './ReportButton.tsx'

/** Reports a rating to staff. */
export default function ReportRating({ ratingId, state, close, done }: { ratingId: string } & ReportDialogProps) {
  const { send, isSending, refused } = useSend()
  const report = async (body: Report) => {
    const { answer } = await send(reportRating, { as: 'action', params: { rating_id: ratingId }, body })
    if (answer) done()
  }
  return <ReportDialog of="rating" {...{ state, isSending, refused, close }} send={(body) => void report(body)} />
}
