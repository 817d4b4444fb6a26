import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { lastChanged } from './facts.ts'
import type { LoadedInfo } from './info-texts.ts'
import { PageHead } from '../../../kit/browser/PageHead.tsx'
import { WaveRule } from '../../../kit/browser/ui/WaveRule.tsx'
import { page } from '../../../site-map.ts'
import { LanesArt, type LanesShape } from './LanesArt.tsx'
import { Prose, useSay } from './Prose.tsx'
import { TableOfContents } from './TableOfContents.tsx'

/** A page of numbered sections beside a table of contents: Terms, Privacy, Map data. `children` are between title and text. */
export function InfoPage({
  name,
  info,
  art,
  children,
}: {
  name: 'terms' | 'privacy' | 'mapData'
  info: LoadedInfo<'terms' | 'privacy' | 'mapData'>
  art: LanesShape
  children?: ReactNode
}) {
  const t = useTranslations('info')
  const say = useSay(info)
  const sections = Object.entries(info.texts.sections)
  return (
    <>
      <PageHead {...info.head} address={page[name]} />
      <InfoTop title={say('title')} lead={say('lead')} art={art}>
        <p className="text-sm text-ink-soft">
          {t.rich('lastChanged', {
            date: info.changed,
            time: (chunks) => <time dateTime={lastChanged}>{chunks}</time>,
          })}
        </p>
      </InfoTop>
      {children}
      <div className="shell grid gap-x-16 gap-y-10 py-10 md:py-16 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <TableOfContents entries={sections.map(([anchor]) => ({ anchor, title: say(`sections.${anchor}.title`) }))} />
        <div className="grid gap-12">
          {sections.map(([anchor, { body }], index) => (
            <section key={anchor} id={anchor} aria-labelledby={`${anchor}-title`} className="grid scroll-mt-4 gap-4">
              <div className="grid gap-1 border-t-2 border-rule pt-4">
                <span aria-hidden="true" className="figure text-action-text">
                  {String(index + 1).padStart(2, '0')}
                </span>
                <h2 id={`${anchor}-title`}>{say(`sections.${anchor}.title`)}</h2>
              </div>
              <Prose say={say} path={`sections.${anchor}.body`} body={body} />
            </section>
          ))}
        </div>
      </div>
    </>
  )
}

export function InfoTop({
  title,
  lead,
  art,
  children,
}: {
  title: ReactNode
  lead: ReactNode
  art: LanesShape
  children?: ReactNode
}) {
  return (
    <div data-page="poster" className="relative overflow-clip border-b-2 border-rule">
      <LanesArt
        shape={art}
        className="absolute right-[max(2.5rem,calc((100vw-80rem)/2))] bottom-0 h-full w-2/5 py-0 max-md:hidden"
      />
      <div className="shell relative grid content-center gap-5 py-12 md:min-h-96 md:py-16">
        <h1 className="poster-type max-w-[6.4em]">{title}</h1>
        <p className="max-w-[34ch] text-lg md:max-w-[40ch]">{lead}</p>
        {children}
        <WaveRule className="-mb-8 text-coral md:hidden" />
      </div>
    </div>
  )
}
