import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  archiveDeal,
  duplicateDeal,
  pauseDeal,
  restoreDeal,
  resumeDeal,
  type SavedDeal,
} from '../../../deals/contract/editing.ts'
import type { OwnDeal } from '../../../deals/contract.ts'
import { ask, readAs } from '../../../kit/browser/ask.ts'
import { callByFetch } from '../../../kit/browser/call-endpoint.ts'
import { useNavigateIfHere } from '../../../kit/browser/navigate-if-here.ts'
import { newKey } from '../../../kit/browser/new-key.ts'
import { useToast } from '../../../kit/browser/ui/Toast.tsx'
import type { AnswerState } from '../../../kit/browser/use-answer.ts'
import { useHandledRows } from '../../../kit/browser/use-handled-rows.ts'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import { editDealPage } from '../../../site-map.ts'
import { readSaveAnswer } from '../../../deals/web/editing/save-answer.ts'

interface TapInput {
  as: 'action'
  params: { deal_id: string }
  /** Needed by `duplicate`, which makes something new. */
  idempotencyKey: string
}
/** The request of each tap. */
const taps = {
  pause: (input: TapInput) => ask(callByFetch, readAs(pauseDeal, readSaveAnswer), input),
  resume: (input: TapInput) => ask(callByFetch, readAs(resumeDeal, readSaveAnswer), input),
  draft: (input: TapInput) =>
    ask(callByFetch, readAs(restoreDeal, readSaveAnswer), { ...input, body: { as: 'draft' } }),
  unarchive: (input: TapInput) =>
    ask(callByFetch, readAs(restoreDeal, readSaveAnswer), { ...input, body: { as: 'paused' } }),
  archive: (input: TapInput) => ask(callByFetch, archiveDeal, input),
  duplicate: (input: TapInput) => ask(callByFetch, duplicateDeal, input),
}
type Tap = keyof typeof taps

export interface Actions {
  busy: string | null
  act: (deal: OwnDeal, tap: Tap) => void
  /** Not null: the deal was archived just now and stays in its row with an undo button; `isComing`: it is being restored. */
  archivedOf: (deal: OwnDeal) => { isComing: boolean } | null
}

/** The tap that undoes archiving: a live deal becomes live again, a paused or expired one paused, a draft a draft. */
export const undoTapOf = (deal: OwnDeal): Tap =>
  deal.status === 'draft' ? 'draft' : isOff(deal) ? 'unarchive' : 'resume'
const isOff = ({ status }: OwnDeal) => status === 'paused' || status === 'expired'

/** Actions on own deals, each one tap. Pausing and archiving can be undone in the toast, archiving in the row of the deal too. */
export function useDealActions(deals: AnswerState<OwnDeal[]>) {
  const own = useTranslations('ownDeals')
  const goOn = useNavigateIfHere()
  const { shown, handledOf, markHandled, release } = useHandledRows(deals.body ?? [], ({ deal_id }) => deal_id)
  const [busy, setBusy] = useState<string | null>(null)
  const [isResuming, setIsResuming] = useState(false)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const { note, show, close } = useToast(10_000)
  // the same key until an answer came: after a lost answer no second copy is made
  const keys = useRef(new Map<string, string>())

  const send = async (tap: Tap, { deal_id }: OwnDeal) => {
    setBusy(deal_id)
    setRefused(null)
    const idempotencyKey = keys.current.get(deal_id) ?? newKey()
    if (tap === 'duplicate') keys.current.set(deal_id, idempotencyKey)
    const { answer, refused } = await taps[tap]({ as: 'action', params: { deal_id }, idempotencyKey })
    if (tap === 'duplicate' && answer) keys.current.delete(deal_id)
    setBusy(null)
    setRefused(refused)
    return answer
  }
  const change = async (tap: Tap, deal: OwnDeal, text: string, undo?: () => void) => {
    if (!(await send(tap, deal))) return
    if (tap === 'archive') markHandled(deal)
    else release(deal)
    deals.again()
    show({ text, ...(undo ? { action: { label: own('undo'), onClick: undo } } : {}) })
  }
  const run = async (deal: OwnDeal, tap: Tap) => {
    const name = deal.deal_name
    const resumed = () => void change('resume', deal, own('resumed', { name }))
    if (tap === 'pause') return change('pause', deal, own('paused', { name }), resumed)
    if (tap === 'resume') return change('resume', deal, own('resumed', { name }))
    if (tap === 'duplicate') {
      const copy = await send('duplicate', deal)
      if (copy) goOn(editDealPage((copy.body as SavedDeal).deal_id))
      return
    }
    if (tap === 'archive')
      return change('archive', deal, own('archived', { name }), () => void run(deal, undoTapOf(deal)))
    return change(tap, deal, own('restored', { name }))
  }
  /** Resumes deals until one is refused. Returns whether any was resumed. */
  const resumeAll = async (paused: OwnDeal[]) => {
    let n = 0
    setIsResuming(true)
    for (const deal of paused) {
      if (!(await send('resume', deal))) break
      n += 1
    }
    setIsResuming(false)
    if (n === 0) return false
    deals.again()
    show({ text: own('resumedAll', { n }) })
    return true
  }
  return {
    shown,
    isResuming,
    resumeAll,
    archivedOf: (deal: OwnDeal) => {
      const handled = handledOf(deal)
      return handled && { isComing: handled.released }
    },
    busy,
    refused,
    note,
    closeNote: close,
    tell: (text: string) => show({ text }),
    act: (deal: OwnDeal, tap: Tap) => void run(deal, tap),
  }
}
