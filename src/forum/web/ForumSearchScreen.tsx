import 'texts:forum,forumSearch'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { Form, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { late, suspended } from '../../kit/browser/late.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { ListPage } from '../../kit/browser/ui/Page.tsx'
import { SearchField } from '../../kit/browser/ui/SearchBar.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { forumSearchPage, page, searchPage } from '../../site-map.ts'
import Answer from '../../places/web/NeedAnswer.tsx'
import { searchForum } from '../contract.ts'
import { forumCategories, postLanguages } from '../limits.ts'
import { FoundPost } from './FoundPost.tsx'

/** Loaded when needed; servers render it at once. */
const NeedAnswer = import.meta.env.SSR ? suspended(Answer) : late(() => import('../../places/web/NeedAnswer.tsx'))

/** Posts with all words, newest first. */
async function load({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const param = (name: string) => searchParams.get(name)?.trim() || undefined
  const asked = { q: param('q'), category: param('category'), lang: param('lang'), after: param('after') }
  if (!asked.q) return { ...asked, found: null, need: null }
  const [{ answer, query }, need] = await Promise.all([
    askForgivingly(context, searchForum, asked),
    asked.after
      ? null
      : import('../../places/web/load-need.ts').then(
          ({ loadNeed }) => loadNeed(context, asked.q),
          () => null,
        ),
  ])
  const { q, category, lang, after } = query
  return {
    q,
    category,
    lang,
    after,
    need,
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
  const frame = useTranslations('frame')
  const { q, category, lang, after, found, need } = useLoaderData<typeof load>()
  const when = useWhen()
  return (
    <>
      <PageHead title={q ? `${q} · ${t('title')}` : t('title')} address={page.forumSearch} hidden />
      <ListPage title={t('title')}>
        <Breadcrumb
          label={forum('way')}
          crumbs={[{ label: forum('title'), href: page.forum }, { label: t('title') }]}
        />
        <search>
          <Form key={`${q} ${category} ${lang}`} className="grid max-w-3xl gap-4" autoComplete="off">
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
        {need && <NeedAnswer found={need} />}
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
                  <FoundPost post={post} lang={post.lang}>
                    {t('post', {
                      n: post.post_number,
                      name: post.author.name ?? forum('deletedUser'),
                      when: when.time(post.created_at),
                    })}
                  </FoundPost>
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
        {q && (
          <p>
            <a
              href={searchPage({ q, first: 'forum' })}
              className="link inline-flex min-h-11 items-center font-semibold"
            >
              {frame('searchAll', { q })}
            </a>
          </p>
        )}
      </ListPage>
    </>
  )
}
