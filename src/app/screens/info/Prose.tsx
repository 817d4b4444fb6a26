import { useMemo, type ReactNode } from 'react'
import { dealsMapPage, forumPage, page } from '../../../site-map.ts'
import { translator, type Block } from './info-texts.ts'

export type Say = (key: string) => ReactNode

const to = (href: string) => (chunks: ReactNode) => (
  <a href={href} className="link">
    {chunks}
  </a>
)

const outside = (href: string) => (chunks: ReactNode) => (
  <a href={href} rel="noreferrer" className="link">
    {chunks}
  </a>
)

const tags = {
  contact: to(page.contact),
  privacy: to(page.privacy),
  help: to(page.help),
  deals: to(page.deals),
  placesMap: to(dealsMapPage({ layers: 'places' })),
  lostFound: to(forumPage('lost-found')),
  timetable: outside('https://www.sbb.ch'),
  call112: to('tel:112'),
  call117: to('tel:117'),
  call118: to('tel:118'),
  call144: to('tel:144'),
  signup: to(page.businessSignup),
  plans: to(`${page.learnMore}#plans`),
  osm: outside('https://www.openstreetmap.org/copyright'),
  odbl: outside('https://opendatacommons.org/licenses/odbl/1-0/'),
  bs: outside('https://data.bs.ch'),
  ccby: outside('https://creativecommons.org/licenses/by/4.0/'),
  stops: outside('https://opentransportdata.swiss'),
  sbb: outside('https://data.sbb.ch'),
  maplibre: outside('https://maplibre.org'),
  pmtiles: outside('https://docs.protomaps.com/pmtiles/'),
  b: (chunks: ReactNode) => <b className="font-semibold">{chunks}</b>,
}

/** The tags of these texts, for plain text. */
export const withoutLinks = Object.fromEntries(Object.keys(tags).map((tag) => [tag, (chunks: ReactNode) => chunks]))

/** Says a text of the page by its path, with its links and figures. */
export function useSay({ locale, texts, values }: { locale: string; texts: object; values: object }): Say {
  return useMemo(() => {
    const translate = translator(locale, texts)
    return (key) => translate.rich(key, { ...values, ...tags })
  }, [locale, texts, values])
}

/** Paragraphs and lists of a section, in the reading column. */
export function Prose({ say, path, body }: { say: Say; path: string; body: Record<string, Block> }) {
  return (
    <div className="grid max-w-prose gap-3">
      {Object.entries(body).map(([index, block]) =>
        typeof block === 'string' || Array.isArray(block) ? (
          <p key={index}>{say(`${path}.${index}`)}</p>
        ) : (
          <ul key={index} className="grid gap-1.5">
            {Object.keys(block).map((item) => (
              <li
                key={item}
                className="relative pl-6 before:absolute before:top-[0.7em] before:left-0 before:h-[3px] before:w-3.5 before:bg-action"
              >
                {say(`${path}.${index}.${item}`)}
              </li>
            ))}
          </ul>
        ),
      )}
    </div>
  )
}
