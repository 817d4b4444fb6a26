import { NotLoaded } from '../../accounts/web/guards.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { ToSecondFactor, wantsSecondFactor } from '../../staff/web/StaffPage.tsx'

export function ModerationFailed({ refused, again }: { refused: RefusedAnswer; again: () => void }) {
  if (wantsSecondFactor(refused))
    return (
      <Notice kind="warn" action={<ToSecondFactor />}>
        {refused.error}
      </Notice>
    )
  return <NotLoaded refused={refused} again={again} />
}
