import 'texts:forms,forum,forumTopic,forumWrite'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { editPost, type Post } from '../contract.ts'
import { postLanguages } from '../limits.ts'
import { NotSent } from './NotSent.tsx'
import { useRefusedFocus } from './use-refused-focus.ts'

/** Edits an own post in place. */
export default function EditPost({ post, onDone, onCancel }: { post: Post; onDone: () => void; onCancel: () => void }) {
  const t = useTranslations('forumTopic')
  const write = useTranslations('forumWrite')
  const forum = useTranslations('forum')
  const { send, isSending, refused } = useSend()
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const post = area.current?.closest('article')
    area.current?.focus()
    // then the post's menu is back, from which editing began
    return () => {
      if (document.activeElement === document.body) post?.querySelector<HTMLElement>('[data-menu] button')?.focus()
    }
  }, [])
  const place = useRefusedFocus(refused)

  async function save(form: FormData) {
    const body = String(form.get('body') ?? '').replaceAll('\r\n', '\n')
    const lang = postLanguages.find((each) => each === form.get('lang'))
    const { answer } = await send(editPost, {
      as: 'action',
      params: { post_id: post.post_id },
      body: { ...(body === post.body ? {} : { body }), ...(lang === post.lang ? {} : { lang }) },
    })
    if (answer) onDone()
  }

  return (
    <form
      ref={place}
      className="grid grid-cols-1 gap-3"
      aria-label={t('edit')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save(new FormData(event.currentTarget))
      }}
    >
      <TextArea
        label={write('text')}
        name="body"
        rows={6}
        defaultValue={post.body}
        error={refused?.fields?.['body']}
        ref={area}
      />
      <Select label={write('language')} name="lang" defaultValue={post.lang} className="max-w-60">
        {postLanguages.map((lang) => (
          <option key={lang} value={lang}>
            {forum(`lang.${lang}`)}
          </option>
        ))}
      </Select>
      {refused && <NotSent refused={refused} text={{ offline: t('offline'), failed: t('failed') }} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" loading={isSending}>
          {t('save')}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  )
}
