import 'texts:info'
import { useEffect } from 'react'
import Plus from 'lucide-react/icons/plus'
import { useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { PageHead } from '../../../kit/browser/PageHead.tsx'
import { ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { page } from '../../../site-map.ts'
import type { PlainHandle } from '../../boot/plain.ts'
import { loadInfo, type LoadedInfo, type Section } from './info-texts.ts'
import { InfoTop } from './InfoPage.tsx'
import { Prose, useSay, type Say } from './Prose.tsx'
import { TableOfContents } from './TableOfContents.tsx'

async function load({ context }: LoaderFunctionArgs) {
  return loadInfo(context, 'help')
}
export { load as loader, load as clientLoader }

export const handle: PlainHandle = { isPlain: true }

export default function HelpScreen() {
  const info = useLoaderData<typeof load>() as LoadedInfo<'help'>
  const say = useSay(info)
  const groups = Object.entries(info.texts.groups) as [string, { questions: Record<string, Section> }][]
  useAnswerInAddress()
  return (
    <>
      <PageHead {...info.head} address={page.help} />
      <InfoTop title={say('title')} lead={say('lead')} art="question" />
      <div className="shell grid gap-x-16 gap-y-10 py-10 md:py-16 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <TableOfContents
          entries={groups.map(([group, { questions }]) => ({
            anchor: group,
            title: say(`groups.${group}.title`),
            inner: Object.keys(questions).map((anchor) => ({
              anchor,
              title: say(`groups.${group}.questions.${anchor}.title`),
            })),
          }))}
        />
        <div className="grid gap-14">
          {groups.map(([group, { questions }]) => (
            <section key={group} id={group} aria-labelledby={`${group}-title`} className="grid scroll-mt-4 gap-5">
              <h2 id={`${group}-title`} className="text-3xl">
                {say(`groups.${group}.title`)}
              </h2>
              <div className="border-t-2 border-rule">
                {Object.entries(questions).map(([anchor, { body }]) => (
                  <Question
                    key={anchor}
                    say={say}
                    anchor={anchor}
                    path={`groups.${group}.questions.${anchor}`}
                    body={body}
                  />
                ))}
              </div>
            </section>
          ))}
          <section className="river grid gap-4 rounded-6 border-2 border-rule bg-river p-6 md:p-8">
            <h2 className="text-paper">{say('more.title')}</h2>
            <p className="text-on-deep-soft">{say('more.text')}</p>
            <ButtonLink href={page.contact} variant="primary" size="lg" className="w-fit">
              {say('more.action')}
            </ButtonLink>
          </section>
        </div>
      </div>
    </>
  )
}

/** A question with a folded answer. The anchor is inside the folded part, so that browsers open it for a link, without a script. */
function Question({ say, anchor, path, body }: { say: Say; anchor: string; path: string; body: Section['body'] }) {
  return (
    <details className="group border-b-2 border-rule print:[&::details-content]:[content-visibility:visible]">
      <summary className="flex min-h-14 list-none items-start justify-between gap-4 py-4 hover:text-action-text [&::-webkit-details-marker]:hidden">
        <h3 className="min-w-0">{say(`${path}.title`)}</h3>
        <Plus
          aria-hidden="true"
          className="mt-0.5 size-6 shrink-0 transition-transform group-open:rotate-45 print:hidden"
        />
      </summary>
      <div id={anchor} className="scroll-mt-20 pb-6">
        <Prose say={say} path={`${path}.body`} body={body} />
      </div>
    </details>
  )
}

/** Opens the answer that the address names after a navigation of the router; for a new document the browser does it. */
function useAnswerInAddress() {
  const { hash } = useLocation()
  useEffect(() => {
    const answer = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null
    const fold = answer?.closest('details')
    if (!fold || fold.open) return
    fold.open = true
    answer?.scrollIntoView()
  }, [hash])
}
