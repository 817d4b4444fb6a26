import 'texts:accountForms,forms,forumDialogs,forumTopic,moderation'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { NotLoaded } from '../../accounts/web/guards.tsx'
import { isStaff } from '../../accounts/policy.ts'
import { useStored } from '../../accounts/web/session.ts'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { deletePost, flagPost, listRevisions, type Post } from '../contract.ts'
import { flagKinds } from '../limits.ts'
import { TextDialog, type TextQuestion } from './TextDialog.tsx'

export type PostQuestion = { kind: 'delete' | 'flag' | 'history'; post: Post } | { kind: 'text'; text: TextQuestion }

/** Dialogs of a post: delete it, flag it, show its earlier versions, or ask for a text such as an appeal. */
export default function PostDialogs({
  question,
  onClose,
  onDone,
  say,
}: {
  question: PostQuestion | null
  onClose: () => void
  onDone: () => void
  say: (text: string) => void
}) {
  const props = { onClose, onDone, say }
  const of = (kind: PostQuestion['kind']) => (question?.kind === kind && 'post' in question ? question.post : null)
  return (
    <>
      <DeleteDialog post={of('delete')} {...props} />
      <FlagDialog post={of('flag')} {...props} />
      <HistoryDialog post={of('history')} onClose={onClose} />
      <TextDialog question={question?.kind === 'text' ? question.text : null} onClose={onClose} />
    </>
  )
}

interface DialogProps {
  post: Post | null
  onClose: () => void
  onDone: () => void
  say: (text: string) => void
}

function DeleteDialog({ post, onClose, onDone, say }: DialogProps) {
  const t = useTranslations('forumTopic')
  const words = useTranslations('forumDialogs')
  const { send, isSending } = useSend()
  async function remove() {
    if (!post) return
    const { refused } = await send(deletePost, { as: 'action', params: { post_id: post.post_id } })
    onClose()
    if (refused) say(refused.error || t(refused.status === 0 ? 'offline' : 'failed'))
    else onDone()
  }
  return (
    <Dialog
      open={post !== null}
      onClose={onClose}
      title={words('deleteTitle')}
      closeLabel={t('close')}
      actions={
        <>
          <Button variant="danger" loading={isSending} onClick={() => void remove()}>
            {t('delete')}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
        </>
      }
    >
      <p>{words('deleteText')}</p>
    </Dialog>
  )
}

function FlagDialog({ post, onClose, say }: DialogProps) {
  const t = useTranslations('forumTopic')
  const words = useTranslations('forumDialogs')
  const { send, isSending, refused } = useSend()
  const [kind, setKind] = useState<(typeof flagKinds)[number] | ''>('')
  const [isMissing, setMissing] = useState(false)
  const choice = useRef<HTMLSelectElement>(null)
  const close = () => {
    setKind('')
    setMissing(false)
    onClose()
  }
  async function flag(form: FormData) {
    if (!post) return
    setMissing(kind === '')
    if (kind === '') return choice.current?.focus()
    const { answer } = await send(flagPost, {
      as: 'action',
      params: { post_id: post.post_id },
      body: { kind, note: String(form.get('note') ?? '') },
    })
    if (!answer) return
    close()
    say(words('flagged'))
  }
  return (
    <Dialog open={post !== null} onClose={close} title={words('flagTitle')} closeLabel={t('close')}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void flag(new FormData(event.currentTarget))
        }}
      >
        <Select
          ref={choice}
          label={words('flagKind')}
          value={kind}
          error={isMissing && kind === '' ? words('flagMissing') : undefined}
          onChange={(event) => setKind(event.target.value as typeof kind)}
        >
          <option value="" disabled>
            {words('flagChoose')}
          </option>
          {flagKinds.map((kind) => (
            <option key={kind} value={kind}>
              {words(`kinds.${kind}`)}
            </option>
          ))}
        </Select>
        <TextArea label={words('flagNote')} name="note" maxLength={500} />
        {refused && <Notice kind="error">{refused.error || t(refused.status === 0 ? 'offline' : 'failed')}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" loading={isSending}>
            {words('flagSend')}
          </Button>
          <Button onClick={close}>{t('cancel')}</Button>
        </div>
      </form>
    </Dialog>
  )
}

function HistoryDialog({ post, onClose }: { post: Post | null; onClose: () => void }) {
  const t = useTranslations('forumTopic')
  const words = useTranslations('forumDialogs')
  const when = useWhen()
  const role = useStored('userType')
  // staff ask with their login: then the answer also has versions that were never public
  const as = isStaff(role ?? '') ? ({ as: 'background' } as const) : {}
  const history = useAnswer(listRevisions, post ? { ...as, params: { post_id: post.post_id } } : null)
  return (
    <Dialog open={post !== null} onClose={onClose} title={t('history')} closeLabel={t('close')}>
      {history.refused && <NotLoaded refused={history.refused} again={history.again} />}
      {!history.body && !history.refused && <Waiting sizes={['h-24']} />}
      {history.body?.length === 0 && <p>{words('noHistory')}</p>}
      <ol className="grid max-h-[60vh] gap-4 overflow-y-auto">
        {history.body?.map((revision) => (
          <li key={revision.revision_id} className="grid gap-1 border-t-2 border-hair pt-3">
            <p className="text-sm font-semibold text-ink-soft">
              {words('historyUntil', { when: when.time(revision.replaced_at) })}
            </p>
            <p className="overflow-clip whitespace-pre-line [overflow-wrap:anywhere] [unicode-bidi:isolate]">
              {revision.body}
            </p>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
