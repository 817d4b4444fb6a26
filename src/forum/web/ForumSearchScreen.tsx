import 'texts:forum,forumSearch'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { Form, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { CategoryTag } from '../../brand/Badge.tsx'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { SearchField } from '../../kit/browser/ui/SearchBar.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { forumSearchPage, page, postPlace } from '../../site-map.ts'
import { searchForum } from '../contract.ts'
import { forumCategories, postLanguages } from '../limits.ts'
import { categoryLook } from './forum-words.ts'

/** Posts with all words, newest first. */
async function load({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const param = (name: string) => searchParams.get(name)?.trim() || undefined
  const asked = { q: param('q'), category: param('category'), lang: param('lang'), after: param('after') }
  if (!asked.q) return { ...asked, found: null }
  const { answer, query } = await askForgivingly(context, searchForum, asked)
  const { q, category, lang, after } = query
  return {
    q,
    category,
    lang,
    after,
    found: {
      posts: answer.body,
      total: answer.total ?? answer.body.length,
      isCapped: answer.totalCapped,
      next: answer.next,
    },
  }
}
export { load as loader, load as clientLoader }

export default function ForumSearchScreen() {
  const t = useTranslations('forumSearch')
  const forum = useTranslations('forum')
  const { q, category, lang, after, found } = useLoaderData<typeof load>()
  const when = useWhen()
  return (
    <div className="shell grid max-w-4xl grid-cols-1 gap-6 py-4 md:py-8">
      <PageHead title={q ? `${q} · ${t('title')}` : t('title')} address={page.forumSearch} hidden />
      <Breadcrumb label={forum('way')} crumbs={[{ label: forum('title'), href: page.forum }, { label: t('title') }]} />
      <h1>{t('title')}</h1>
      <search>
        <Form key={`${q} ${category} ${lang}`} className="grid gap-4" autoComplete="off">
          <SearchField size="lg" name="q" maxLength={100} label={t('label')} button={t('search')} defaultValue={q} />
          <div className="grid gap-4 sm:grid-cols-2">
            <Select label={t('category')} name="category" defaultValue={category ?? ''}>
              <option value="">{t('anyCategory')}</option>
              {forumCategories.map((each) => (
                <option key={each} value={each}>
                  {forum(`category.${each}`)}
                </option>
              ))}
            </Select>
            <Select label={t('language')} name="lang" defaultValue={lang ?? ''}>
              <option value="">{t('anyLanguage')}</option>
              {postLanguages.map((each) => (
                <option key={each} value={each}>
                  {forum(`lang.${each}`)}
                </option>
              ))}
            </Select>
          </div>
        </Form>
      </search>
      {!found ? (
        <p className="text-lg text-ink-soft">{t('begin')}</p>
      ) : found.posts.length === 0 ? (
        <EmptyState title={t('nothing')}>{t('nothingText')}</EmptyState>
      ) : (
        <section aria-labelledby="found" className="grid grid-cols-1 gap-2">
          <h2 id="found" className="text-xl">
            {found.isCapped ? t('moreThan', { n: found.total }) : t('found', { n: found.total })}
          </h2>
          <ol>
            {found.posts.map((post) => (
              <li key={post.post_id}>
                <article className="group/card relative grid gap-1.5 border-b-2 border-hair py-4">
                  <h3 className="text-lg leading-tight font-bold [overflow-wrap:anywhere]" lang={post.lang}>
                    <a
                      href={postPlace(post.topic_id, post.post_number)}
                      className="text-ink no-underline decoration-action decoration-3 underline-offset-4 group-hover/card:underline after:absolute after:inset-0"
                    >
                      {post.title}
                    </a>
                  </h3>
                  <p className="overflow-clip [overflow-wrap:anywhere] [unicode-bidi:isolate]" lang={post.lang}>
                    {post.excerpt}
                  </p>
                  <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
                    <CategoryTag category={categoryLook[post.category]}>
                      {forum(`category.${post.category}`)}
                    </CategoryTag>
                    {t('post', {
                      n: post.post_number,
                      name: post.author.name ?? forum('deletedUser'),
                      when: when.time(post.created_at),
                    })}
                  </p>
                </article>
              </li>
            ))}
          </ol>
          <p className="flex flex-wrap gap-3 pt-3">
            {after && <ButtonLink href={forumSearchPage({ q, category, lang })}>{t('first')}</ButtonLink>}
            {found.next && (
              <ButtonLink rel="next" href={forumSearchPage({ q, category, lang, after: found.next })}>
                {t('more')}
                <ArrowRight aria-hidden="true" className="size-5" />
              </ButtonLink>
            )}
          </p>
        </section>
      )}
    </div>
  )
}
