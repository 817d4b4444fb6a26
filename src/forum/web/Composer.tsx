import { useRef, useState, type ReactNode, type Ref } from 'react'
import Bold from 'lucide-react/icons/letter-b'
import Code from 'lucide-react/icons/code'
import ImagePlus from 'lucide-react/icons/image-plus'
import Italic from 'lucide-react/icons/italic'
import Link from 'lucide-react/icons/link'
import List from 'lucide-react/icons/list'
import Trash2 from 'lucide-react/icons/trash'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { scaledPicture } from '../../kit/browser/scaled-picture.ts'
import { Button, IconButton } from '../../kit/browser/ui/Button.tsx'
import { FieldError } from '../../kit/browser/ui/Field.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { Piece } from '../../kit/shared/rich-text.ts'
import { previewPost, uploadForumImage } from '../contract.ts'
import type { Draft } from './draft.ts'
import { imageMaxBytes } from '../limits.ts'
import { suggestionsAt, withMention, type Person } from './mentioning.ts'
import { MentionChips } from './MentionChips.tsx'
import { PostText } from './PostText.tsx'

interface Preview {
  content: Piece[]
  lang: string
  /** `waiting`, or why there is no preview, as a text; null: it is there. */
  state: 'waiting' | (string & {}) | null
}

/** Editor of a post: text with formatting, a preview that the server renders, and a picture. */
export function Composer({
  label,
  draft,
  change,
  refused,
  areaRef,
  rows = 6,
  people = [],
  children,
}: {
  label: string
  draft: Draft
  change: (more: Partial<Draft>, key?: string) => void
  refused: RefusedAnswer | null
  areaRef?: Ref<HTMLTextAreaElement>
  rows?: number
  /** Suggested for mentions. */
  people?: Person[]
  /** The send button; disabled while the picture uploads. */
  children: ReactNode
}) {
  const t = useTranslations('forumWrite')
  const [preview, setPreview] = useState<Preview | null>(null)
  const [caret, setCaret] = useState(0)
  const [isUploading, setUploading] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(refused)
  if (seen !== refused) {
    setSeen(refused)
    // a fault of the text can only be corrected in the editor
    if (refused?.fields?.['body']) setPreview(null)
  }

  const [key, setKey] = useState(draft.key)
  if (key !== draft.key) {
    setKey(draft.key)
    // the draft was sent or discarded: show the empty editor
    setPreview(null)
  }

  async function showPreview() {
    const waiting: Preview = { content: [], lang: 'en', state: 'waiting' }
    setPreview(waiting)
    const { body } = draft
    if (body.trim().length < 2) return setPreview({ ...waiting, state: null })
    const { answer, refused: no } = await ask(callByFetch, previewPost, { as: 'action', body: { body } })
    const made = answer
      ? { ...answer.body, state: null }
      : { ...waiting, state: no?.fields?.['body'] || no?.error || t(no?.status === 0 ? 'offline' : 'noPreview') }
    // ignore an answer that comes late: the text was sent, or a newer preview was requested
    setPreview((shown) => (shown === waiting ? made : shown))
  }

  /** Puts the marks around the selection, or at the caret. */
  function mark({ name, before, after }: (typeof tools)[number]) {
    const area = box.current?.querySelector('textarea')
    if (!area) return
    const { selectionStart: from, selectionEnd: to, value } = area
    const chosen = value.slice(from, to) || (name === 'link' ? t('link') : '')
    // each line becomes a list item
    const inside = name === 'list' ? chosen.replaceAll('\n', before) : chosen
    change({ body: value.slice(0, from) + before + inside + after + value.slice(to) })
    select(area, from + before.length, from + before.length + inside.length)
  }

  function mention(person: Person) {
    const area = box.current?.querySelector('textarea')
    if (!area) return
    const written = withMention(area.value, caret, person)
    change({ body: written.body })
    select(area, written.caret, written.caret)
  }

  return (
    <div ref={box} className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <fieldset aria-label={t('format')} className="flex flex-wrap">
          {tools.map((tool) => (
            <IconButton
              key={tool.name}
              label={t(tool.name)}
              disabled={preview !== null}
              onClick={() => mark(tool)}
              icon={<tool.Icon aria-hidden="true" className="size-5" />}
            />
          ))}
        </fieldset>
        <div className="flex max-w-full flex-wrap rounded-6 border-2 border-rule">
          <TabButton isOn={preview === null} onClick={() => setPreview(null)}>
            {t('write')}
          </TabButton>
          <TabButton isOn={preview !== null} onClick={() => void showPreview()}>
            {t('preview')}
          </TabButton>
        </div>
      </div>
      <div className={preview === null ? 'grid grid-cols-1 gap-2' : 'hidden'}>
        <TextArea
          ref={areaRef}
          label={label}
          help={t('help')}
          rows={rows}
          name="body"
          value={draft.body}
          error={refused?.fields?.['body']}
          onChange={({ target }) => {
            change({ body: target.value })
            setCaret(target.selectionStart)
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionEnd)}
        />
        <MentionChips people={suggestionsAt(draft.body, caret, people)} choose={mention} />
      </div>
      {preview !== null && (
        <div className="min-h-40 rounded-6 border-2 border-dashed border-rule p-4" aria-live="polite">
          {preview.state === 'waiting' ? null : preview.content.length > 0 ? (
            <PostText content={preview.content} lang={preview.lang} />
          ) : (
            <p className="text-ink-soft">{preview.state ?? t('nothing')}</p>
          )}
        </div>
      )}
      <Picture {...{ draft, change, refused, isUploading, setUploading }} />
      {/* the post is sent with its picture, so sending waits for the upload */}
      <fieldset disabled={isUploading} className="contents">
        {children}
      </fieldset>
    </div>
  )
}

/** Waits a frame, until React has put the new text into the field. */
function select(area: HTMLTextAreaElement, from: number, to: number) {
  area.focus()
  requestAnimationFrame(() => area.setSelectionRange(from, to))
}

const tools = [
  { name: 'bold', Icon: Bold, before: '**', after: '**' },
  { name: 'italic', Icon: Italic, before: '*', after: '*' },
  { name: 'list', Icon: List, before: '\n- ', after: '' },
  { name: 'link', Icon: Link, before: '[', after: '](https://)' },
  { name: 'code', Icon: Code, before: '`', after: '`' },
] as const

function TabButton({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className="min-h-11 px-3 text-sm font-semibold aria-pressed:bg-ink aria-pressed:text-page"
    >
      {children}
    </button>
  )
}

/** One picture for each post: uploaded when chosen, then sent as its address. */
function Picture({
  draft,
  change,
  refused,
  isUploading,
  setUploading,
}: {
  draft: Draft
  change: (more: Partial<Draft>, key?: string) => void
  refused: RefusedAnswer | null
  isUploading: boolean
  setUploading: (isUploading: boolean) => void
}) {
  const t = useTranslations('forumWrite')
  const [fault, setFault] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)

  async function upload(file: File | undefined) {
    if (!file) return
    setFault(null)
    setUploading(true)
    const image = await scaledPicture(file)
    const { answer, refused: no } =
      image.size > imageMaxBytes
        ? { answer: null, refused: { status: 413, error: t('pictureHelp') } }
        : await ask(callByFetch, uploadForumImage, { as: 'action', body: {}, files: { image } })
    setUploading(false)
    if (input.current) input.current.value = ''
    if (answer) change({ image_url: answer.body.image_url }, draft.key)
    else setFault(no.error || t(no.status === 0 ? 'offline' : 'failed'))
  }

  const error = fault ?? refused?.fields?.['image_url']
  return (
    <div className="grid gap-2">
      {draft.image_url ? (
        <div className="flex items-end gap-3">
          <img src={draft.image_url} alt="" className="max-h-40 max-w-60 rounded-6 border-2 border-rule" />
          <Button
            variant="quiet"
            icon={<Trash2 aria-hidden="true" className="size-5" />}
            onClick={() => change({ image_url: undefined })}
          >
            {t('removePicture')}
          </Button>
        </div>
      ) : (
        <p>
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            aria-label={t('picture')}
            className="sr-only"
            tabIndex={-1}
            onChange={({ target }) => void upload(target.files?.[0])}
          />
          <Button
            variant="quiet"
            loading={isUploading}
            loadingText={t('uploading')}
            icon={<ImagePlus aria-hidden="true" className="size-5" />}
            onClick={() => input.current?.click()}
          >
            {t('picture')}
          </Button>
        </p>
      )}
      <FieldError id="picture-error">{error}</FieldError>
    </div>
  )
}
