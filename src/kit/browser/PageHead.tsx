import { use, useState } from 'react'
import { useHydrated } from './hydrated.ts'
import { NonceContext } from './nonce.ts'
import { scriptJson } from './script-json.ts'
import { SiteContext, type SharingPicture, type Site } from './site.ts'
import type { Thing } from './structured-data.ts'

const openGraphLocales = { en: 'en_GB', de: 'de_CH', fr: 'fr_CH' } as const
const descriptionLimit = 160

/**
 * The head of a page, drawn by each screen exactly once: title, description, canonical address, what other sites show
 * when the page is shared, and what it is about in the words of schema.org. React lifts the tags into the head on the
 * server and in the browser, and takes them away with the screen; route `meta` exports are not used.
 */
export function PageHead({
  title,
  description,
  address,
  hidden = false,
  picture,
  kind = 'WebPage',
  data,
}: {
  /** Without the name of the site, which is added everywhere but on the home page. */
  title: string
  /** Of any length: whitespace is folded and what exceeds 160 characters is cut. */
  description?: string
  /** The one address of this page, from `/` on, without anything that only tracks or positions; absent: it has none. */
  address?: string
  /** Keeps it out of search engines. */
  hidden?: boolean
  /** Absent: the site's. */
  picture?: SharingPicture
  kind?: 'WebPage' | 'AboutPage' | 'CollectionPage' | 'ContactPage' | 'ItemPage'
  /** What the page is about; called on the server alone, so pass it as `import.meta.env.SSR ? … : undefined`. */
  data?: (site: Site) => Thing[]
}) {
  const site = use(SiteContext)
  if (!site) throw new Error('PageHead stands outside of SiteContext')
  const name = oneLine(title)
  const about = shortened(oneLine(description ?? ''))
  const shown = picture ?? site.picture
  const url = address === undefined ? undefined : site.origin + address
  return (
    <>
      <title>{address === '/' ? name : `${name} · ${site.name}`}</title>
      {about && <meta name="description" content={about} />}
      {hidden && <meta name="robots" content="noindex" />}
      {url && <link rel="canonical" href={url} />}
      <meta property="og:title" content={name} />
      {about && <meta property="og:description" content={about} />}
      <meta property="og:type" content="website" />
      {url && <meta property="og:url" content={url} />}
      <meta property="og:site_name" content={site.name} />
      <meta property="og:locale" content={openGraphLocales[site.locale]} />
      <meta property="og:image" content={site.origin + shown.path} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={oneLine(shown.alt)} />
      <meta name="twitter:card" content="summary_large_image" />
      {url && !hidden && (
        <StructuredData
          key={url}
          graph={() => [
            {
              '@type': kind,
              '@id': url,
              url,
              name,
              description: about || undefined,
              inLanguage: site.locale,
              isPartOf: {
                '@type': 'WebSite',
                '@id': `${site.origin}/#website`,
                name: site.name,
                url: `${site.origin}/`,
              },
              primaryImageOfPage: { '@type': 'ImageObject', url: site.origin + shown.path, width: 1200, height: 630 },
            },
            ...(data?.(site) ?? []),
          ]}
        />
      )}
    </>
  )
}

/**
 * Only a page from the server has it: crawlers ask for each page anew, and under Trusted Types a browser may not create
 * a script, not even one of data. Taking over the server's page React keeps its text as it is, without making it again.
 */
function StructuredData({ graph }: { graph: () => Thing[] }) {
  const nonce = use(NonceContext)
  const isHydrated = useHydrated()
  const [isFromServer] = useState(!isHydrated)
  if (!isFromServer) return null
  const json = import.meta.env.SSR ? scriptJson({ '@context': 'https://schema.org', '@graph': graph() }) : ''
  return (
    <script type="application/ld+json" nonce={nonce} suppressHydrationWarning>
      {json}
    </script>
  )
}

/** Line ends in an attribute would be read differently by the browser, and the tag then be there twice. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Cut between characters, at a space where one is near. */
function shortened(text: string): string {
  const letters = [...text]
  if (letters.length <= descriptionLimit) return text
  const cut = letters.slice(0, descriptionLimit - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > cut.length / 2 ? space : undefined).replace(/[\s.,;:–-]+$/, '')}…`
}
