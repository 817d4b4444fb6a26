import { useState, type ReactNode } from 'react'
import Flag from 'lucide-react/icons/flag'
import { Button } from '../../kit/browser/ui/Button.tsx'

/** The state of a report dialog, and how it changes. After `done` the dialog shows its thanks, and the button is gone. */
export interface ReportDialogProps {
  state: 'open' | 'closed' | 'done'
  close: () => void
  done: () => void
}

/** Button that reports something. `dialog` is drawn from the first tap on. */
export function ReportButton({
  label,
  className,
  dialog,
}: {
  label: string
  className: string
  dialog: (props: ReportDialogProps) => ReactNode
}) {
  const [state, setState] = useState<'untouched' | ReportDialogProps['state']>('untouched')
  return (
    <>
      {state !== 'done' && (
        <Button
          variant="quiet"
          icon={<Flag aria-hidden="true" className="size-4" />}
          onClick={() => setState('open')}
          className={className}
        >
          {label}
        </Button>
      )}
      {state !== 'untouched' && dialog({ state, close: () => setState('closed'), done: () => setState('done') })}
    </>
  )
}
