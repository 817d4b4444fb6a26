import 'texts:accountForms,categories,deals,events,forms,forum,forumTopic,forumWrite'
import { useMemo, useState } from 'react'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { useNavigateIfHere } from '../../kit/browser/navigate-if-here.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { FormPage } from '../../kit/browser/ui/Page.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { ForLoggedIn } from '../../accounts/web/guards.tsx'
import { LateScript, NoScript } from '../../accounts/web/parts.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { page, postPlace } from '../../site-map.ts'
import { createTopic } from '../contract.ts'
import { mayBeginTopicIn } from '../policy.ts'
import { Composer } from './Composer.tsx'
import { newTopicDraft, useDraft } from './draft.ts'
import { forumCategories, postLanguages, titleLength } from '../limits.ts'
import { linkedOf } from './linked.ts'
import LinkedCard from './LinkedCard.tsx'
import { SendLine } from './SendLine.tsx'
import { postLater } from './unsent-posts.ts'
import { UnsentPosts } from './UnsentPosts.tsx'
import { useMine } from './use-mine.ts'
import { useRefusedFocus } from './use-refused-focus.ts'

/** The category that a link proposes, and the deal or event that the topic is to be about. */
async function load({ context, request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const kind = query.has('deal') ? ('deal' as const) : query.has('event') ? ('event' as const) : null
  const about = kind && { linked_kind: kind, linked_id: query.get(kind)! }
  const linked = about ? await linkedOf(context, about) : null
  return {
    category: forumCategories.find((each) => each === query.get('category')) ?? null,
    about: linked && about ? { kind: about.linked_kind as 'deal' | 'event', id: about.linked_id } : null,
    linked,
  }
}
export { load as loader, load as clientLoader }

export default function NewTopicScreen() {
  const t = useTranslations('forumWrite')
  const forum = useTranslations('forum')
  return (
    <FormPage
      title={t('title')}
      lead={t('lead')}
      above={
        <Breadcrumb
          label={forum('way')}
          crumbs={[{ label: forum('title'), href: page.forum }, { label: t('title') }]}
        />
      }
    >
      <PageHead title={t('title')} address={page.forumNew} hidden />
      <ForLoggedIn
        waiting={
          <>
            <NoScript kind="writing" />
            <LateScript kind="page" />
          </>
        }
      >
        <TopicForm />
      </ForLoggedIn>
    </FormPage>
  )
}

function TopicForm() {
  const t = useTranslations('forumWrite')
  const forum = useTranslations('forum')
  const topic = useTranslations('forumTopic')
  const { category, about, linked } = useLoaderData<typeof load>()
  const { draft, change, clear, wasStored } = useDraft(newTopicDraft)
  const [isLinked, setLinked] = useState(true)
  const chosen = draft.category ?? category ?? 'help'
  const lang = draft.lang ?? ''
  const { send, isSending, refused: no } = useSend()
  const refused = useMemo(() => no && withTags(no), [no])
  const goOn = useNavigateIfHere()
  const form = useRefusedFocus(refused)
  const isStaff = useMine().body?.is_staff ?? false

  async function publish() {
    const { body, image_url, key, title = '', tags = '' } = draft
    const input = {
      category: forumCategories.find((each) => each === chosen) ?? ('help' as const),
      tags: tags
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
      lang: postLanguages.find((each) => each === lang),
      linked: isLinked && about ? about : null,
      image_url,
    }
    const { answer, refused: no } = await send(createTopic, {
      as: 'action',
      body: { ...input, title, body, idempotency_key: key },
    })
    if (no?.status === 0 && title.trim() && body.trim()) {
      postLater(key, { topic_id: null, title, body, input })
      return clear()
    }
    if (!answer) return
    clear()
    goOn(postPlace(answer.body.topic.topic_id, 1))
  }

  return (
    <form
      ref={form}
      aria-label={t('title')}
      className="grid grid-cols-1 gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void publish()
      }}
    >
      <UnsentPosts topicId={null} />
      {linked && isLinked && (
        <div className="grid max-w-80 gap-2">
          <section aria-labelledby="linked" className="grid gap-3">
            <h2 id="linked" className="text-lg">
              {topic('linked')}
            </h2>
            <LinkedCard linked={linked} />
          </section>
          <Button variant="quiet" onClick={() => setLinked(false)}>
            {t('unlink')}
          </Button>
        </div>
      )}
      <Select label={t('category')} value={chosen} onChange={({ target }) => change({ category: target.value })}>
        {forumCategories
          .filter((each) => mayBeginTopicIn(each, isStaff))
          .map((each) => (
            <option key={each} value={each}>
              {forum(`category.${each}`)}
            </option>
          ))}
      </Select>
      <TextField
        label={t('topicTitle')}
        help={t('topicTitleHelp')}
        name="title"
        maxLength={titleLength.max}
        value={draft.title ?? ''}
        error={refused?.fields?.['title']}
        onChange={({ target }) => change({ title: target.value })}
      />
      <TextField
        label={t('tags')}
        hint={t('optional')}
        help={t('tagsHelp')}
        name="tags"
        value={draft.tags ?? ''}
        error={refused?.fields?.['tags']}
        onChange={({ target }) => change({ tags: target.value })}
        autoCapitalize="none"
      />
      <Select
        label={t('language')}
        value={lang}
        onChange={({ target }) => change({ lang: target.value })}
        className="max-w-60"
      >
        <option value="">{t('guess')}</option>
        {postLanguages.map((each) => (
          <option key={each} value={each}>
            {forum(`lang.${each}`)}
          </option>
        ))}
      </Select>
      <Composer label={t('text')} rows={9} {...{ draft, change, refused }}>
        <SendLine
          {...{ isSending, wasStored, clear }}
          // offline, the topic is listed above as unsent
          refused={!draft.body && refused?.status === 0 ? null : refused}
          hasText={!!(draft.body || draft.title || draft.tags)}
          label={t('postTopic')}
        />
      </Composer>
    </form>
  )
}

/** The fault may be of one tag (`tags.2`); all of them are one field here. */
function withTags(refused: RefusedAnswer): RefusedAnswer {
  const fields = Object.entries(refused.fields ?? {}).map(([name, text]) => [name.split('.')[0], text])
  return fields.length > 0 ? { ...refused, fields: Object.fromEntries(fields) as Record<string, string> } : refused
}
